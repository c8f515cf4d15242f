/** What the explorables share: elements, inputs bound to the model, handles, ink, numbers, weights, one repaint a frame. */

// ---- elements ----

/** Write attributes, listeners and the few properties; only what changed, since a browser lays out anew what is written. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
  return node;
}

export const put = (node, text) => node.textContent !== text && (node.textContent = text);

/** Show the first `count` of some nodes and hide the others. */
export const show = (nodes, count) => nodes.forEach((node, i) => node.hidden !== i >= count && (node.hidden = i >= count));

function element(node, attributes, children) {
  set(node, attributes).append(...children);
  return node;
}

export const html = (tag, attributes = {}, ...children) => element(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  element(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const mathml = (tag, ...children) =>
  element(document.createElementNS("http://www.w3.org/1998/Math/MathML", tag), {}, children);

const named = (letters) => mathml(letters.length > 1 ? "mtext" : "mi", letters);
const indexed = (letter, index) => (index ? mathml("msub", named(letter), named(index)) : named(letter));

/** Typeset symbols: `symbol("d")`, `symbol("d", "model")` with an index, `root("d", "k")` under a root. */
export const symbol = (letter, index) => mathml("math", indexed(letter, index));
export const root = (letter, index) => mathml("math", mathml("msqrt", indexed(letter, index)));

let ids = 0;
export const newId = () => `xp-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${(ids += 1)}`;

// ---- weights: packed arrays, sent or loaded when a module asks ----

/** Texts and matrices by name, one after the other, from the bytes that `quantised.py` packs; `read` makes a matrix of its shape, scales and steps. */
function* unpackWith(read, data) {
  const bytes = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const text = (from, size) => new TextDecoder().decode(bytes.subarray(from, from + size));
  let place = 4 + length;
  for (const { name, shape, bytes: size } of JSON.parse(text(4, length))) {
    yield [name, shape === null ? text(place, size) : read(view, place, shape)];
    place += size + ((4 - (size % 4)) % 4);
  }
}

function rows(view, place, [n, d]) {
  return Array.from({ length: n }, (_, i) => {
    const scale = view.getFloat32(place + 4 * i, true);
    return Array.from({ length: d }, (_, j) => Math.fround(scale * view.getInt8(place + 4 * n + i * d + j)));
  });
}

function flatRows(view, place, shape) {
  const [n, d] = shape;
  const data = new Float32Array(n * d);
  for (let i = 0; i < n; i += 1) {
    const scale = view.getFloat32(place + 4 * i, true);
    for (let j = i * d; j < (i + 1) * d; j += 1) data[j] = scale * view.getInt8(place + 4 * n + j);
  }
  return { shape, data };
}

/** A matrix as a list of rows. */
export const unpack = (data) => Object.fromEntries(unpackWith(rows, data));

/** A matrix as { shape, data }, its rows one after the other in float32: for whole models. */
export const unpackFlat = (data) => Object.fromEntries(unpackWith(flatRows, data));

const SLICE = 4; // milliseconds before the page gets its turn

/** The same, a few parts at a time, so that the page answers meanwhile. */
export async function unpackInSlices(data) {
  const found = {};
  let since = performance.now();
  for (const [name, part] of unpackWith(flatRows, data)) {
    found[name] = part;
    if (performance.now() - since < SLICE) continue;
    await new Promise((done) => setTimeout(done));
    since = performance.now();
  }
  return found;
}

/** The weights of that name, on the page as in Jupyter. */
export const weights = async (model, name, read = unpack) =>
  read(model.weights ? await model.weights(name) : model.get(name));

// ---- libraries: the book's own copy on the page, sent by Python in Jupyter ----

/** A library of that name, when a module first asks for it. */
export const library = (model, name) => (model.library ? model.library(name) : sent(model, name));

function sent(model, name) {
  return new Promise((resolve, reject) => {
    const receive = (message, buffers) => {
      if (message?.library !== name) return;
      model.off("msg:custom", receive);
      const text = new TextDecoder().decode(buffers[0]);
      const wrapped = `const module = { exports: {} }, exports = module.exports;\n${text}\nexport default module.exports;`;
      const url = URL.createObjectURL(new Blob([wrapped], { type: "text/javascript" }));
      import(url).then((found) => resolve(found.default), reject);
    };
    model.on("msg:custom", receive);
    model.send({ library: name });
  });
}

// ---- the life of an explorable ----

/** Run `paint` after the event that asked for it, and never twice between two frames. */
function oncePerFrame(paint) {
  let [queued, painted, again] = [false, false, false];
  const run = () => {
    [queued, painted, again] = [false, true, false];
    requestAnimationFrame(() => {
      painted = false;
      if (again) run();
    });
    paint();
  };
  return () => {
    if (painted) again = true;
    else if (!queued) {
      queued = true;
      queueMicrotask(run);
    }
  };
}

/** The one voice of an explorable: it is silent at first, and then waits for a pause, so that dragging does not chatter. */
function speaker(root) {
  const status = root.appendChild(html("p", { class: "xp-hidden", role: "status" }));
  let [timer, heard] = [undefined, undefined];
  const say = (text) => {
    clearTimeout(timer);
    heard ??= text;
    if (text !== heard) timer = setTimeout(() => put(status, (heard = text)), 600);
  };
  return { say, stop: () => clearTimeout(timer) };
}

/** JupyterLab takes the arrow keys from whatever has the focus, unless that very element asks it not to. */
const keepKeys = (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true");

/** The largest number that a trait can take in a state: a fixed one, or less than a part of another trait. */
const highest = ({ high, below }, state) => (below ? Math.floor(state(below[0]) / below[1]) - 1 : high);

function makeStage(root, model) {
  const stage = { root, model, syncs: [], bounds: model.get("bounds"), get: (name) => model.get(name) };
  stage.highest = (name) => highest(stage.bounds[name], stage.get);
  stage.measure = () => {
    stage.width = root.clientWidth;
    stage.wide = stage.width >= 620;
    stage.column = stage.wide ? (stage.width - 32) / 2 : stage.width;
    root.classList.toggle("xp-wide", stage.wide);
  };
  stage.set = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    for (const [name, { below }] of Object.entries(stage.bounds)) {
      if (below) model.set(name, Math.min(model.get(name), stage.highest(name)));
    }
    model.save_changes();
  };
  return stage;
}

/**
 * The module that a host renders. `build(stage)` makes the elements and returns `paint(state)`, which draws the state
 * and returns it as a sentence. All state is in the model: Python, a slider and a second view change the same.
 */
export function explorable(label, names, build) {
  async function render({ model, el }) {
    const root = el.appendChild(html("section", { class: "xp", "aria-label": label, onfocusin: keepKeys }));
    const stage = makeStage(root, model);
    stage.measure();
    const paint = await build(stage);
    const shown = root.appendChild(html("p", { class: "xp-says", id: newId(), "aria-hidden": "true" }));
    set(root, { "aria-describedby": shown.id }); // who comes to the figure hears its state; who changes it hears it anew
    const voice = speaker(root);
    const draw = () => {
      if (stage.width === 0) return;
      const state = Object.fromEntries(names.map((name) => [name, model.get(name)]));
      for (const sync of stage.syncs) sync(state);
      put(shown, paint(state));
      stage.settle?.(); // what asks for the layout, after all that changes it
      voice.say(shown.textContent);
    };
    const repaint = oncePerFrame(draw);
    stage.repaint = repaint;
    // within the observer's own turn it would be observed again, which browsers report as an error
    const resized = new ResizeObserver(() =>
      requestAnimationFrame(() => {
        if (root.clientWidth === stage.width) return;
        stage.measure();
        repaint();
      }),
    );
    resized.observe(root);
    const themed = new MutationObserver(repaint); // what is drawn on a canvas takes no colour from a style by itself
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    themed.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
    for (const name of names) model.on(`change:${name}`, repaint);
    draw();
    return () => {
      for (const name of names) model.off(`change:${name}`, repaint);
      resized.disconnect();
      themed.disconnect();
      voice.stop();
      root.remove();
    };
  }
  return { render };
}

// ---- inputs ----

/**
 * A labelled range input (`label` is a list: text and elements) within the trait's bounds, or from `min` to `max`;
 * `read` and `write` translate between the trait and the slider's own scale.
 */
export function slider(stage, { name, label, min, max, step, show = String, read, write, change }) {
  const id = newId();
  const bounds = stage.bounds[name] ?? {};
  const input = html("input", { type: "range", id, step: step ?? bounds.step ?? 1, min: min ?? bounds.low });
  const output = html("span", { class: "xp-value", "aria-hidden": "true" });
  const toSlider = read ?? ((state) => state[name]);
  const toTrait = write ?? ((x) => x);
  const highest = max ?? (() => stage.highest(name));
  input.addEventListener("input", () => {
    const value = toTrait(input.valueAsNumber);
    stage.set(change ? change(value) : { [name]: value });
  });
  stage.syncs.push((state) => {
    set(input, { max: highest(state) });
    input.disabled = input.min === input.max;
    if (input.valueAsNumber !== toSlider(state)) input.value = toSlider(state);
    put(output, show(name ? state[name] : toSlider(state), state));
    set(input, { "aria-valuetext": output.textContent });
  });
  return html("div", { class: "xp-slider" }, html("label", { for: id }, ...label), output, input);
}

/** The base of the frequencies on a logarithmic slider. */
export function baseSlider(stage) {
  const { low, high } = stage.bounds.base;
  const write = (x) => clamp(Number((10 ** x).toPrecision(2)), low, high);
  const read = (state) => Math.log10(state.base);
  const [min, max] = [Math.log10(low), () => Math.log10(high)];
  return slider(stage, { name: "base", label: ["Base"], min, max, step: 0.05, show: grouped, read, write });
}

/** A labelled switch for a boolean trait. */
export function toggle(stage, { name, label }) {
  const input = html("input", { type: "checkbox", role: "switch" });
  input.addEventListener("change", () => stage.set({ [name]: input.checked }));
  stage.syncs.push((state) => (input.checked = state[name]));
  return html("label", { class: "xp-toggle" }, input, html("span", {}, ...label));
}

/** A row of radio buttons, all options in sight: the trait's, with its labels. */
export function choice(stage, { name, label, change }) {
  const group = newId();
  const inputs = Object.entries(stage.bounds[name].labels).map(([value, text]) => {
    const input = html("input", { type: "radio", name: group, value });
    input.addEventListener("change", () => stage.set(change ? change(value) : { [name]: value }));
    stage.syncs.push((state) => (input.checked = state[name] === value));
    return html("label", {}, input, html("span", {}, text));
  });
  return html("fieldset", { class: "xp-choice" }, html("legend", {}, label), html("div", {}, ...inputs));
}

/** A labelled line of text. */
export function textbox(stage, { name, label, change, read = (typed) => typed }) {
  const id = newId();
  const input = html("input", { type: "text", id, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => stage.set(change(read(input.value))));
  stage.syncs.push((state) => {
    if (read(input.value) !== state[name]) input.value = state[name];
  });
  return html("div", { class: "xp-text" }, html("label", { for: id }, label), input);
}

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, 10],
  PageDown: [0, -10],
};
const ENDS = { Home: -1, End: 1 };

/** Let keys move something: `step` gets dx, dy (up is +1, a page 10), `end` gets −1 for Home and +1 for End. */
export const keys = (node, { step, end }) =>
  set(node, {
    onkeydown: (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key in STEPS) step(...STEPS[event.key]);
      else if (event.key in ENDS) end(ENDS[event.key]);
      else return;
      event.preventDefault();
    },
  });

/**
 * Let an SVG node be dragged by pointer (`drag` gets the point in pixels) and moved by keys. Under a finger a part of an
 * SVG would scroll the page, whatever its style says, but for a listener that prevents it.
 */
export function handle(node, { label, drag, step, end }) {
  set(node, {
    tabindex: 0,
    role: "slider",
    "aria-label": label,
    class: "xp-handle",
    ontouchstart: (event) => event.preventDefault(),
    onpointerdown: (event) => {
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      event.preventDefault();
    },
    onpointermove: (event) => {
      if (!node.hasPointerCapture(event.pointerId)) return;
      const box = node.ownerSVGElement.getBoundingClientRect();
      drag({ x: event.clientX - box.left, y: event.clientY - box.top });
    },
  });
  return keys(node, { step, end });
}

/** Tell assistive technology where a handle stands: plain numbers, and words. */
export const tell = (node, now, min, max, text) =>
  set(node, { "aria-valuenow": now, "aria-valuemin": min, "aria-valuemax": max, "aria-valuetext": text });

/** A drawing's numbers along its axes, renewed when they change: each is [x, y, text, anchor]. */
export function axisLabels() {
  const group = svg("g", { class: "xp-ticks" });
  let shown;
  const paint = (labels) => {
    const key = labels.join("|");
    if (key === shown) return;
    shown = key;
    const text = ([x, y, content, anchor = "middle"]) => svg("text", { x, y, "text-anchor": anchor }, content);
    group.replaceChildren(...labels.map(text));
  };
  return { group, paint };
}

// ---- numbers ----

/** A count with its word: 1 key, 2 keys. */
export const plural = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** A token or a text in a sentence. */
export const quoted = (text) => `“${text}”`;

/** A number with a fixed count of decimals, a true minus sign, and no minus before zero. */
export function fixed(x, digits = 2) {
  if (x === -Infinity) return "−∞";
  const text = Math.abs(x).toFixed(digits);
  return x < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** A whole number as an exponent: ⁻¹². */
export const raised = (n) => `${n < 0 ? "⁻" : ""}${String(Math.abs(n)).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit])}`;

export const integer = (x) => fixed(x, 0);

/** A large number with thin spaces between thousands. */
export const grouped = (x) => String(x).replace(/\B(?=(\d{3})+$)/g, "\u202f");

export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Keep the result for as long as the arguments stay the same. */
export function memo(compute) {
  let [last, result] = [undefined, undefined];
  return (...args) => {
    const key = JSON.stringify(args);
    if (key !== last) [last, result] = [key, compute(...args)];
    return result;
  };
}

/** A circle around a point. */
export const centredAt = ([cx, cy]) => ({ cx, cy });

/** A path through points. */
export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;

// ---- ink: numbers in −1 … 1 as colour on the page; zero is the page itself ----

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** The colour of a number of each sign, as [red, green, blue], from the style sheet; read when first needed. */
export function inks(root) {
  let found;
  const read = () => {
    const style = getComputedStyle(root);
    return ["--xp-minus", "--xp-plus"].map((name) => channels(style.getPropertyValue(name).trim()));
  };
  return (value) => (found ??= read())[value < 0 ? 0 : 1];
}

const theme = () => `${document.documentElement.dataset.theme} ${document.body.dataset.jpThemeLight}`;

/** The colour of the page's words, asked once in each theme: who asks waits for all styles that have changed. */
export function wordInk(root) {
  let [asked, found] = [undefined, undefined];
  return () => {
    if (asked !== (asked = theme())) found = getComputedStyle(root).color;
    return found;
  };
}

/** A canvas of that size in CSS pixels, as sharp as the screen; resizing clears it. */
export function sharpen(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    set(canvas, { width: w, height: h });
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
