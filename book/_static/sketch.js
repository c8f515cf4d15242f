/** A curve that the reader draws before the computed one opens: points that a pointer or the arrow keys move, then both curves and how far they lie apart. */
"use strict";

const sketchQuestion = (question, title, done, { make, says, replyTo }) => {
  const [across, up] = question.names;
  const [low, high] = question.range;
  const { points, last } = question;
  const height = high - low;
  const ys = points.map(() => (low + high) / 2);
  const { line, say } = says();
  let [drawn, open] = [false, true];

  const decimals = Math.max(0, 2 - Math.floor(Math.log10(height)));
  const short = (value) => String(Number(value.toFixed(decimals))).replace("-", "−");
  const within = (value, least, most) => Math.min(most, Math.max(least, value));
  const left = (i) => (100 * i) / last;
  const top = (y) => (100 * (high - y)) / height;
  const svg = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const path = (pairs) => pairs.map(([i, y]) => `${left(i)},${top(y)}`).join(" ");

  // The field: two curves, a point for each place, the ends of both axes.

  const [truth, guess] = ["truth", "guess"].map((name) => svg("polyline", { class: name }));
  const picture = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const at of [25, 50, 75]) picture.append(svg("path", { class: "grid", d: `M0 ${at}H100` }));
  picture.append(truth, guess);
  const handles = points.map(([i, name], k) => {
    const handle = make("span", { className: "sketch-point", tabIndex: k ? -1 : 0 });
    const says = { role: "slider", "aria-orientation": "vertical", "aria-label": `${across} ${name}`, "aria-valuemin": low, "aria-valuemax": high };
    for (const [attribute, value] of Object.entries(says)) handle.setAttribute(attribute, value);
    handle.style.left = `${left(i)}%`;
    return handle;
  });
  const label = (name, text, style) => {
    const node = make("span", { className: name, textContent: text });
    node.setAttribute("aria-hidden", "true");
    return Object.assign(node.style, style), node;
  };
  const levels = [high, (low + high) / 2, low].map((y) => label("sketch-y", short(y), { top: `${top(y)}%` }));
  const places = [0, (points.length - 1) >> 1, points.length - 1].map((k) => label("sketch-x", points[k][1], { left: `${left(points[k][0])}%` }));
  const field = make("div", { className: "sketch-field" }, picture, ...handles, ...levels, ...places);
  field.setAttribute("role", "group");
  field.setAttribute("aria-labelledby", title.id);
  const help = make("p", { className: "sketch-help", textContent: "Draw across the field, or move a point with ↑ and ↓ and go to the next with →." });
  const box = make("div", {}, label("sketch-up", up), field, label("sketch-across", across), help);
  const form = make("form", {}, box, make("button", { type: "submit", textContent: "This is what I expect" }));

  function paint() {
    guess.setAttribute("points", path(points.map(([i], k) => [i, ys[k]])));
    handles.forEach((handle, k) => {
      handle.style.top = `${top(ys[k])}%`;
      handle.setAttribute("aria-valuenow", ys[k]);
      handle.setAttribute("aria-valuetext", `${up} ${short(ys[k])}`);
    });
  }

  function set(k, y) {
    ys[k] = within(y, low, high);
    drawn = true;
  }

  // By mouse and touch: the point that was seized follows; who goes on draws through all that are crossed.

  const spacing = last / (points.length - 1);
  let [was, seized] = [undefined, -1];
  const nearest = (x) => points.reduce((best, [i], k) => (Math.abs(i - x) < Math.abs(points[best][0] - x) ? k : best), 0);
  const at = ({ clientX, clientY }) => {
    const room = field.getBoundingClientRect();
    const x = within((last * (clientX - room.left)) / room.width, 0, last);
    const i = points[nearest(x)][0];
    return [Math.abs(i - x) < spacing / 5 ? i : x, high - (height * (clientY - room.top)) / room.height];
  };

  function follow([x, y]) {
    if (seized >= 0 && Math.abs(points[seized][0] - x) < spacing / 3) set(seized, y);
    else seized = -1;
    const [fromX, fromY] = was;
    points.forEach(([i], k) => {
      if (x !== fromX && (i - fromX) * (i - x) <= 0) set(k, fromY + ((y - fromY) * (i - fromX)) / (x - fromX));
    });
    was = [x, y];
    paint();
  }

  field.addEventListener("pointerdown", (event) => {
    if (!open || event.button) return;
    event.preventDefault();
    field.setPointerCapture(event.pointerId);
    was = at(event);
    seized = nearest(was[0]);
    set(seized, was[1]);
    handles[seized].focus({ preventScroll: true });
    paint();
  });
  field.addEventListener("pointermove", (event) => was && follow(at(event)));
  for (const end of ["pointerup", "pointercancel"]) field.addEventListener(end, () => (was = undefined));

  // By keyboard.

  const STEPS = { ArrowUp: 0.02, ArrowDown: -0.02, PageUp: 0.1, PageDown: -0.1, Home: -1, End: 1 };
  const SIDES = { ArrowRight: 1, ArrowLeft: -1 };

  function go(k) {
    handles.forEach((handle, other) => (handle.tabIndex = other === k ? 0 : -1));
    handles[k].focus();
  }

  handles.forEach((handle, k) => {
    handle.addEventListener("focus", () => handles.forEach((other) => (other.tabIndex = other === handle ? 0 : -1)));
    handle.addEventListener("keydown", (event) => {
      if (!open || event.ctrlKey || event.metaKey || event.altKey || !(event.key in STEPS || event.key in SIDES)) return;
      event.preventDefault();
      if (event.key in SIDES) return go(within(k + SIDES[event.key], 0, points.length - 1));
      set(k, ys[k] + STEPS[event.key] * height);
      paint();
    });
  });

  // Both curves, and how far they lie apart.

  function verdict(curve, because) {
    const off = points.map(([i], k) => ys[k] - curve[i]);
    const mean = off.reduce((sum, one) => sum + Math.abs(one), 0) / off.length;
    const worst = off.reduce((best, one, k) => (Math.abs(one) > Math.abs(off[best]) ? k : best), 0);
    const close = mean <= question.close * height;
    const higher = off.filter((one) => one < 0).length;
    const lead = close ? "Close. " : higher === off.length ? "The curve lies higher. " : higher ? "Here too high, there too low. " : "The curve lies lower. ";
    const [i, name] = points[worst];
    const far = `At these ${points.length} points your curve is ${short(mean)} off on average; farthest at ${across} ${name}: you drew ${short(ys[worst])}, it is ${short(curve[i])}.`;
    say(close ? "right" : "wrong", `${make("i", { textContent: far }).innerHTML} ${because}`, lead);
  }

  function reveal(given) {
    if (given.length !== points.length || !given.every(Number.isFinite)) throw new Error("another curve");
    given.forEach((y, k) => set(k, y));
    open = false;
    const [curve, because] = JSON.parse(replyTo(question, ["result"]));
    truth.setAttribute("points", path(curve.map((y, i) => [i, y])));
    paint();
    for (const handle of handles) handle.setAttribute("aria-disabled", "true");
    field.classList.add("open");
    form.querySelector("button")?.remove();
    help.replaceChildren(make("span", { className: "guess", textContent: "what you drew" }), make("span", { className: "truth", textContent: "what was computed" }));
    verdict(curve, because);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!drawn) return say("almost", "Draw what you expect first.");
    const given = ys.map((y) => Number(y.toPrecision(4)));
    reveal(given);
    done(given);
  });
  paint();
  return { nodes: [form, line], restore: reveal };
};
