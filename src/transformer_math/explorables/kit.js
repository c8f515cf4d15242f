/** What the explorables share: elements, inputs bound to the model, handles, colours, numbers, one repaint a frame. */

// ---- elements ----

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  return node;
}

function element(node, attributes, children) {
  set(node, attributes).append(...children);
  return node;
}

export const html = (tag, attributes = {}, ...children) => element(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  element(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

let ids = 0;
const newId = () => `xp-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${(ids += 1)}`;

// ---- the life of an explorable ----

/** Run `paint` after the event that asked for it, and never twice between two frames. */
function oncePerFrame(paint) {
  let [queued, painted, again] = [false, false, false];
  const run = () => {
    [queued, painted, again] = [false, true, false];
    paint();
    requestAnimationFrame(() => {
      painted = false;
      if (again) run();
    });
  };
  return () => {
    if (painted) again = true;
    else if (!queued) {
      queued = true;
      queueMicrotask(run);
    }
  };
}

/** A spoken copy of the state: it waits for a pause, so that dragging does not chatter. */
function speaker(root) {
  const status = root.appendChild(html("p", { class: "xp-hidden", role: "status", "aria-live": "polite" }));
  let timer;
  const say = (text) => {
    clearTimeout(timer);
    if (status.textContent === "") status.textContent = text;
    else timer = setTimeout(() => (status.textContent = text), 400);
  };
  return { say, stop: () => clearTimeout(timer) };
}

/** JupyterLab takes the arrow keys from whatever has the focus, unless that very element asks it not to. */
const keepKeys = (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true");

/**
 * The module that a host renders. `build(stage)` makes the elements and returns `paint(state)`, which draws the
 * state and returns it as a sentence. All state is in the model: Python, a slider and a second view change the same.
 */
export function explorable(label, names, build) {
  function render({ model, el }) {
    const root = el.appendChild(html("section", { class: "xp", "aria-label": label, onfocusin: keepKeys }));
    const stage = { root, syncs: [], get: (name) => model.get(name) };
    const measure = () => {
      stage.width = root.clientWidth;
      stage.wide = stage.width >= 620;
      stage.column = stage.wide ? (stage.width - 32) / 2 : stage.width;
      root.classList.toggle("xp-wide", stage.wide);
    };
    measure();
    stage.set = (changes) => {
      for (const [name, value] of Object.entries(changes)) model.set(name, value);
      model.save_changes();
    };
    const paint = build(stage);
    const shown = root.appendChild(html("p", { class: "xp-says", "aria-hidden": "true" }));
    const voice = speaker(root);
    const repaint = oncePerFrame(() => {
      if (stage.width === 0) return;
      const state = Object.fromEntries(names.map((name) => [name, model.get(name)]));
      for (const sync of stage.syncs) sync(state);
      shown.textContent = paint(state);
      voice.say(shown.textContent);
    });
    const resized = new ResizeObserver(() => {
      if (root.clientWidth === stage.width) return;
      measure();
      requestAnimationFrame(repaint);
    });
    resized.observe(root);
    for (const name of names) model.on(`change:${name}`, repaint);
    repaint();
    return () => {
      for (const name of names) model.off(`change:${name}`, repaint);
      resized.disconnect();
      voice.stop();
      root.remove();
    };
  }
  return { render };
}

// ---- inputs ----

const valueOf = (option, state) => (typeof option === "function" ? option(state) : option);

/**
 * A labelled range input (`label` is a list: text and elements); `read` and `write` translate between the trait and the
 * slider's own scale.
 */
export function slider(stage, { name, label, min, max, step = 1, show = String, read, write, change }) {
  const id = newId();
  const input = html("input", { type: "range", id, step });
  const output = html("output", { for: id });
  const toSlider = read ?? ((state) => state[name]);
  const toTrait = write ?? ((x) => x);
  input.addEventListener("input", () => {
    const value = toTrait(input.valueAsNumber);
    stage.set(change ? change(value) : { [name]: value });
  });
  stage.syncs.push((state) => {
    set(input, { min: valueOf(min, state), max: valueOf(max, state) });
    input.value = toSlider(state);
    output.textContent = show(name ? state[name] : toSlider(state), state);
    set(input, { "aria-valuetext": output.textContent });
  });
  return html("div", { class: "xp-slider" }, html("label", { for: id }, ...label), output, input);
}

/** The base of the frequencies, 10 … 100 000, on a logarithmic slider. */
export function baseSlider(stage) {
  const write = (x) => Number((10 ** x).toPrecision(2));
  const read = (state) => Math.log10(state.base);
  return slider(stage, { name: "base", label: ["Base"], min: 1, max: 5, step: 0.05, show: grouped, read, write });
}

/** A labelled switch for a boolean trait. */
export function toggle(stage, { name, label }) {
  const input = html("input", { type: "checkbox", role: "switch" });
  input.addEventListener("change", () => stage.set({ [name]: input.checked }));
  stage.syncs.push((state) => (input.checked = state[name]));
  return html("label", { class: "xp-toggle" }, input, html("span", {}, ...label));
}

/** A row of radio buttons: all options in sight. */
export function choice(stage, { name, label, options, change }) {
  const group = newId();
  const inputs = Object.entries(options).map(([value, text]) => {
    const input = html("input", { type: "radio", name: group, value });
    input.addEventListener("change", () => stage.set(change ? change(value) : { [name]: value }));
    stage.syncs.push((state) => (input.checked = state[name] === value));
    return html("label", {}, input, html("span", {}, text));
  });
  return html("fieldset", { class: "xp-choice" }, html("legend", {}, label), html("div", {}, ...inputs));
}

/** A labelled line of text. */
export function textbox(stage, { name, label, change }) {
  const id = newId();
  const input = html("input", { type: "text", id, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => stage.set(change(input.value)));
  stage.syncs.push((state) => {
    if (input.value !== state[name]) input.value = state[name];
  });
  return html("div", { class: "xp-text" }, html("label", { for: id }, label), input);
}

const KEYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  PageUp: [0, 10],
  PageDown: [0, -10],
};

/** Let an SVG node be dragged by pointer (`drag` gets the point in pixels) and moved by keys (`step` gets dx, dy). */
export function handle(node, { label, drag, step }) {
  set(node, { tabindex: 0, role: "slider", "aria-label": label, class: "xp-handle" });
  const follow = (event) => {
    const box = node.ownerSVGElement.getBoundingClientRect();
    drag({ x: event.clientX - box.left, y: event.clientY - box.top });
  };
  return set(node, {
    onpointerdown: (event) => {
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      event.preventDefault();
    },
    onpointermove: (event) => node.hasPointerCapture(event.pointerId) && follow(event),
    onkeydown: (event) => {
      if (!(event.key in KEYS)) return;
      event.preventDefault();
      step(...KEYS[event.key]);
    },
  });
}

/** Tell assistive technology where a handle stands. */
export const tell = (node, now, min, max, text) =>
  set(node, { "aria-valuenow": now, "aria-valuemin": min, "aria-valuemax": max, "aria-valuetext": text });

// ---- numbers and colours ----

/** A number with a fixed count of decimals, a true minus sign, and no minus before zero. */
export function fixed(x, digits = 2) {
  if (x === -Infinity) return "−∞";
  const text = Math.abs(x).toFixed(digits);
  return x < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export const integer = (x) => fixed(x, 0);

/** A large number with thin spaces between thousands. */
export const grouped = (x) => String(x).replace(/\B(?=(\d{3})+$)/g, "\u202f");

export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

function mix(stops) {
  return Array.from({ length: 256 }, (_, step) => {
    const place = (step / 255) * (stops.length - 1);
    const below = Math.min(Math.floor(place), stops.length - 2);
    return stops[below].map((low, i) => Math.round(low + (stops[below + 1][i] - low) * (place - below)));
  });
}

/**
 * A colour scale's 256 steps as [r, g, b], from the CSS variables --xp-NAME-0, --xp-NAME-1, …; to be called while
 * painting, since an element that is not in the document yet has no style.
 */
export function ramp(root, name) {
  let steps;
  const read = () => {
    const style = getComputedStyle(root);
    const stops = [];
    for (let hex; (hex = style.getPropertyValue(`--xp-${name}-${stops.length}`).trim()); ) stops.push(channels(hex));
    return mix(stops);
  };
  return () => (steps ??= read());
}

/** A name with an index, such as d_k. */
export const indexed = (name, index) => [html("i", {}, name), html("sub", {}, index)];

/** Keep the result for as long as the arguments stay the same. */
export function memo(compute) {
  let [last, result] = [undefined, undefined];
  return (...args) => {
    const key = JSON.stringify(args);
    if (key !== last) [last, result] = [key, compute(...args)];
    return result;
  };
}

/** A path through points. */
export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;
