import { clamp, explorable, fixed, grouped, handle, html, inks, put, set, sharpen, slider, svg, tell, unpack, weights, wordInk } from "../kit.js";
import { goalsBeside } from "../goals.js";
import { finished, piecewise } from "../work.js";
import { range } from "../numbers.js";
import { decode, heard, istft, perplexity, searched, withMagnitudes } from "./codes.js";

const names = ["bits", "frame"];
const LETTER = 256;
const CODES = 4;
const LARGEST = 32; // radius of a code that is always chosen
const MARGIN = 26;
const HEIGHT = 104; // of a spectrogram
const TITLE = 18;
const STEPS = 30; // of Griffin and Lim
const SEARCHING = 7; // milliseconds of each frame, since somebody waits to hear what is found
const DECIBEL = 20 / Math.log(10);

/** Frames, phases and one codebook for each number of bits, as the figure needs them. */
function opened(data) {
  const numbers = JSON.parse(data.numbers);
  const magnitudes = (frames) =>
    frames.map((row) => [...row.map((v) => Math.max(0, Math.exp(v * numbers.deviation + numbers.mean) - numbers.floor)), 0]);
  const made = {};
  function* making(bits) {
    const [C, W, [b]] = ["C", "W", "b"].map((name) => data[`${name} ${bits}`]);
    const flat = Array.from(data[`ids ${bits}`], (letter) => letter.codePointAt(0) - LETTER);
    const ids = data.frames.map((_, t) => flat.slice(CODES * t, CODES * (t + 1)));
    const frames = [];
    for (const own of ids) yield frames.push(decode(own, C, W, b));
    const counts = new Array(C.length).fill(0);
    for (const id of flat) counts[id] += 1;
    const squares = frames.flatMap((row, t) => row.map((v, f) => (v - data.frames[t][f]) ** 2));
    const error = Math.sqrt(squares.reduce((sum, v) => sum + v, 0) / squares.length) * numbers.deviation * DECIBEL;
    return { ids, frames, counts, error, used: perplexity(flat, C.length), map: data[`map ${bits}`] };
  }
  const book = (bits) => (made[bits] ??= finished(making(bits)));
  /** Make the books that are missing, in pieces. */
  function* rest(all) {
    for (const bits of all.filter((one) => !made[one])) {
      const found = yield* making(bits);
      made[bits] ??= found; // somebody may have asked for it meanwhile
    }
  }
  return { numbers, magnitudes, book, rest, frames: data.frames, phases: data.phases };
}

/** Samples as a file of sound, two bytes each. */
function wav(samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at, letters) => [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  [[20, 1], [22, 1], [32, 2], [34, 16]].forEach(([at, value]) => view.setUint16(at, value, true));
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((x, i) => view.setInt16(44 + 2 * i, Math.round(32767 * clamp(x, -1, 1)), true));
  return URL.createObjectURL(new Blob([view], { type: "audio/wav" }));
}

/** Three buttons: the recording, the codes with its phases, and the codes alone, whose phases are found in small pieces. */
function players(stage, sound) {
  const labels = { recording: "recording", borrowed: "codes, true phases", alone: "codes alone" };
  const { hop, rate, cut, level, fade } = sound.numbers;
  const cos = sound.phases.map((row) => row.map(Math.cos));
  const sin = sound.phases.map((row) => row.map(Math.sin));
  const made = {};
  const search = piecewise(() => stage.repaint(), SEARCHING);
  let [audio, playing, of, step] = [undefined, undefined, "", 0];
  const stop = () => {
    audio?.pause();
    search.stop();
    [audio, playing] = [undefined, undefined];
  };
  const play = (url) => {
    audio = new Audio(url);
    audio.onended = () => {
      stop();
      stage.repaint();
    };
    audio.play().catch(stop);
  };
  /** The samples: of codes alone the phases are searched, the others have the recording's. */
  function* sounding(kind, M) {
    if (kind !== "alone") return yield* istft(...withMagnitudes(cos, sin, M), hop);
    const signs = M.map((row, t) => row.map((_, f) => Math.sin(12.9898 * (t + 1) + 78.233 * (f + 1))));
    const guess = [signs, signs.map((row) => row.map((x) => x * x - 0.5))];
    return yield* searched(M, guess, STEPS, hop, (begun) => (step = begun));
  }
  const press = (kind) => {
    const bits = stage.get("bits");
    const again = playing === kind;
    stop();
    if (!again) {
      [playing, step] = [kind, 0]; // without a search no step is begun
      of = kind === "recording" ? "" : ` (${2 ** bits} codes)`;
      const key = kind === "recording" ? kind : `${kind} ${bits}`;
      const M = sound.magnitudes(kind === "recording" ? sound.frames : sound.book(bits).frames);
      const found = (samples) => play((made[key] = wav(heard(samples, cut, level, fade), rate)));
      if (made[key]) play(made[key]);
      else search.begin(sounding(kind, M), found);
    }
    stage.repaint();
  };
  const buttons = Object.entries(labels).map(([kind, label]) =>
    html("button", { type: "button", onclick: () => press(kind) }, `▶ ${label}`));
  const node = html("div", { class: "xp-buttons", role: "group", "aria-label": "Listen", style: "min-height:72px;align-content:flex-start" }, ...buttons);
  const paint = () => {
    Object.entries(labels).forEach(([kind, label], i) => {
      put(buttons[i], `${playing === kind ? "■" : "▶"} ${label}`);
      set(buttons[i], { "aria-pressed": playing === kind });
    });
    if (search.isBusy()) return step ? ` Looking for phases: step ${step} of ${STEPS}.` : "";
    return playing ? ` You hear: ${labels[playing]}${of}.` : "";
  };
  return { node, paint };
}

/** Two spectrograms, one above the other, and in each a line at the frame that is picked. */
function spectrograms(stage, sound) {
  const canvas = html("canvas", { class: "xp-photo xp-map", "aria-hidden": "true" });
  const area = svg("rect", { class: "xp-hit" });
  const lines = range(2).map(() => svg("rect", { class: "xp-picked", style: "stroke-width:1", width: 1, height: HEIGHT }));
  const grip = svg("g", {}, area, ...lines);
  const titles = ["The last three seconds", "The same from codes"].map((text) => svg("text", { x: 0, "font-size": 13, fill: "currentColor" }, text));
  const node = html("div", { class: "xp-layers xp-mosaic" }, canvas, svg("svg", {}, ...titles, grip));
  const n = sound.frames.length;
  let width = 0;
  const go = (frame) => stage.set({ frame: clamp(frame, 0, n - 1) });
  const drag = ({ x }) => go(Math.floor((x / width) * n));
  handle(grip, {
    label: "The frame that is picked",
    drag,
    step: (dx, dy) => go(stage.get("frame") + dx + dy),
    end: (end) => go(end < 0 ? 0 : n - 1),
  });
  grip.addEventListener("pointerdown", (event) => drag({ x: event.clientX - node.lastChild.getBoundingClientRect().left }));
  const [low, high] = sound.frames.flat().reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  const ink = inks(stage.root);
  const images = new Map();
  const imageOf = (frames) => {
    if (images.has(frames)) return images.get(frames);
    const bins = frames[0].length;
    const image = html("canvas", { width: n, height: bins });
    const data = new ImageData(n, bins);
    const colour = ink(1);
    for (let t = 0; t < n; t += 1) {
      for (let f = 0, at = 4 * ((bins - 1) * n + t); f < bins; f += 1, at -= 4 * n) {
        data.data.set(colour, at);
        data.data[at + 3] = 255 * clamp((frames[t][f] - low) / (high - low), 0, 1);
      }
    }
    image.getContext("2d").putImageData(data, 0, 0);
    images.set(frames, image);
    return image;
  };
  const paint = (frame, rebuilt, words) => {
    width = stage.column;
    const height = 2 * (HEIGHT + TITLE);
    const context = sharpen(canvas, width, height);
    [sound.frames, rebuilt].forEach((frames, i) => {
      const top = TITLE + i * (HEIGHT + TITLE);
      context.drawImage(imageOf(frames), 0, top, width, HEIGHT);
      set(titles[i], { y: top - 5 });
      set(lines[i], { x: (frame / n) * width - 1, y: top });
    });
    for (const one of [node.lastChild, area]) set(one, { width, height });
    tell(grip, frame, 0, n - 1, words);
  };
  return { node, paint };
}

/** The codebook by its two widest directions: each code as large as it is often chosen, those of the frame ringed. */
function codeMap(stage) {
  const canvas = html("canvas", { class: "xp-vector xp-map", "aria-hidden": "true" });
  const [ink, wordsInk] = [inks(stage.root), wordInk(stage.root)];
  const paint = ({ map, counts }, own) => {
    const size = [stage.column, Math.min(180, stage.column)];
    const context = sharpen(canvas, ...size);
    const total = counts.reduce((sum, c) => sum + c, 0);
    const radius = (id) => 2 + (LARGEST - 2) * Math.sqrt(counts[id] / total);
    const margin = Math.max(MARGIN, 4 + Math.max(...range(map.length).map(radius)));
    const place = ([x, y]) => [size[0] / 2 + x * (size[0] / 2 - margin), size[1] / 2 - y * (size[1] / 2 - margin)];
    const ring = (id, radius) => {
      context.beginPath();
      context.arc(...place(map[id]), radius, 0, 2 * Math.PI);
    };
    context.fillStyle = `rgba(${ink(1).join(",")},0.4)`;
    range(map.length).forEach((id) => {
      ring(id, radius(id));
      context.fill();
    });
    context.strokeStyle = wordsInk();
    context.lineWidth = 2;
    own.forEach((id) => {
      ring(id, radius(id) + 2);
      context.stroke();
    });
  };
  return { node: canvas, paint };
}

const TASKS = [
  ["be wrong by less than 2.75 dB?", ({ book }) => book.error < 2.75],
  ["leave a third of the codes as good as idle?", ({ book }) => book.used < (2 / 3) * book.counts.length],
  ["find a frame that is one code, four times?", ({ own }) => new Set(own).size === 1],
];

async function build(stage) {
  const sound = opened(await weights(stage.model, "codes", unpack));
  const size = slider(stage, { name: "bits", label: ["Bits of a code"], show: (bits) => `${bits}, so ${2 ** bits} codes` });
  const pictures = spectrograms(stage, sound);
  const map = codeMap(stage);
  const listen = players(stage, sound);
  const tasks = goalsBeside(stage, TASKS);
  const { low, high } = stage.bounds.bits;
  piecewise(() => {}).begin(sound.rest(range(high - low + 1).map((k) => low + k)), () => {});
  stage.root.append(
    html("div", { class: "xp-controls" }, size, listen.node),
    html("div", { class: "xp-grid" },
      pictures.node,
      html("div", { class: "xp-stack" }, html("p", { class: "xp-caption" }, "The codebook; larger circles are chosen more often"), map.node)),
    tasks.node,
  );
  return (state) => {
    const book = sound.book(state.bits);
    const own = book.ids[state.frame];
    const place = `Frame ${state.frame} is written as the codes ${own.join(", ")}`;
    pictures.paint(state.frame, book.frames, place);
    map.paint(book, own);
    const told = listen.paint();
    const { rate, hop } = sound.numbers;
    const bits = Math.round((rate / hop) * CODES * state.bits);
    return `${place}. With ${2 ** state.bits} codes, in effect ${fixed(book.used, 1)} equally frequent ones, the sound takes ${grouped(bits)} bits a second, and loudness is wrong by ${fixed(book.error, 2)} dB.${told}${tasks.paint({ book, own })}`;
  };
}

export default explorable("Three seconds of speech, from codes", names, build);
