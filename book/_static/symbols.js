/**
 * Symbols of displayed formulas answer: point at one, tap it, or Tab to the formula and use the arrow keys.
 *
 * Loaded when a formula comes near the window. The build has marked every symbol (`data-s`, its place in reading order)
 * and put what it answers into the page. The keyboard and screen readers move along a row of links beside each formula,
 * one stop for Tab; the drawn letters themselves stay hidden from screen readers, which have the formula as MathML.
 */
"use strict";

globalThis.symbolsOfFormulas ??= (() => {
  const { answers, formulas } = JSON.parse(document.querySelector("script.symbols").textContent);
  const REACH = 24; // pixels from a fingertip to the symbol that it meant
  const note = document.createElement("aside");
  note.className = "symbol-note";
  note.hidden = true;
  note.setAttribute("aria-hidden", "true"); // the links say the same
  const brought = new Map();
  let codeOf = () => ""; // as HTML, where the page shows code that belongs to a place
  let shown; // { formula, place, pinned, at }
  let leaving;

  const text = (html) => new DOMParser().parseFromString(html.replace(/<su([bp])>/g, " su$1 "), "text/html").body.textContent.replace(/\s+/g, " ");

  /** The other places in a formula at which the same symbol stands. */
  const others = ({ places }, place) => places.flatMap(([, answer], i) => (i !== place && answer === places[place][1] ? [i] : []));

  function elsewhere(formula, place) {
    const count = others(formula, place).length;
    return count ? `${count} other ${count === 1 ? "place" : "places"} in this formula` : "";
  }

  /** A part is said with the symbols in it, each once: root of d sub k. */
  function soundOf({ places, drawn }, place) {
    const own = places[place][0];
    if (!own.endsWith(" of")) return own;
    const inside = [...drawn[place].querySelectorAll("[data-s]")].map(({ dataset }) => places[dataset.s][0]).filter((aloud) => !aloud.endsWith(" of") && `${aloud} of` !== own);
    return `${own} ${[...new Set(inside)].join(", ")}`;
  }

  const codeAt = (formula, place) => [answers[formula.places[place][1]][2], codeOf(formula.node.dataset.symbols, place)].filter(Boolean).join(", ");

  function sentence(formula, place) {
    const aloud = soundOf(formula, place);
    const [meaning, shape] = answers[formula.places[place][1]].map(text);
    const code = text(codeAt(formula, place));
    const parts = [meaning, shape && `shape ${shape}`, code && `in the code ${code}`, elsewhere(formula, place)];
    return `${aloud}: ${parts.filter(Boolean).join("; ")}`;
  }

  function fill(formula, place) {
    const [meaning, shape, , address] = answers[formula.places[place][1]];
    const line = (name, html) => (html ? `<div><dt>${name}</dt><dd>${html}</dd></div>` : "");
    const link = address ? `<a href="${address}" tabindex="-1">${/symbol-/.test(address) ? "Notation" : "Its formula"}</a>` : "";
    note.innerHTML = `<p><span class="katex"><span class="katex-html"><span class="base"></span></span></span> ${meaning}</p><dl>${
      line("Shape", shape) + line("In the code", codeAt(formula, place)) + line("Also at", elsewhere(formula, place).replace(" in this", " of this"))
    }</dl>${link}`;
    const drawn = formula.drawn[place].cloneNode(true);
    drawn.className = "enclosing";
    note.querySelector(".base").append(drawn);
  }

  /** Below the formula (or the code that asks), or above it where there is no room; beside the symbol, within the window. */
  function put({ formula, place, at }) {
    const [symbol, box] = (at ? [at, at] : [formula.drawn[place], formula.node]).map((node) => node.getBoundingClientRect());
    const { offsetWidth: width, offsetHeight: height } = note;
    const page = document.documentElement.clientWidth;
    const left = Math.min(Math.max(symbol.left + symbol.width / 2 - width / 2, 8), page - width - 8);
    const candidates = [box.bottom + 4, box.top - height - 4, symbol.bottom + 8];
    const top = candidates.find((y) => y >= 60 && y + height <= innerHeight) ?? symbol.bottom + 8;
    note.style.transform = `translate(${Math.round(left + scrollX)}px, ${Math.round(top + scrollY)}px)`;
  }

  function show(formula, place, pinned = false, at = undefined) {
    clearTimeout(leaving);
    if (shown?.formula === formula && shown.place === place && shown.at === at) {
      shown.pinned ||= pinned;
      return;
    }
    hide();
    shown = { formula, place, pinned, at };
    formula.drawn[place].classList.add("asked");
    for (const other of others(formula, place)) formula.drawn[other].classList.add("same");
    fill(formula, place);
    note.hidden = false;
    put(shown);
    formula.turn(place);
    document.dispatchEvent(new CustomEvent("formula:asked", { detail: { name: formula.node.dataset.symbols, place } }));
  }

  function hide() {
    clearTimeout(leaving);
    if (!shown) return;
    for (const node of shown.formula.drawn) node.classList.remove("asked", "same");
    note.hidden = true;
    shown = undefined;
    document.dispatchEvent(new CustomEvent("formula:left"));
  }

  /** Let a formula answer for something beside it: `at` is what asks, the first of the places is shown, the others are marked. */
  function ask(name, [place, ...same], at, pinned) {
    const formula = brought.get(name);
    if (!formula) return;
    show(formula, place, pinned, at);
    for (const other of same) formula.drawn[other].classList.add("same");
  }

  const leave = () => {
    clearTimeout(leaving); // a finger leaves twice before it clicks
    if (shown?.pinned || shown?.formula.row.contains(document.activeElement)) return;
    leaving = setTimeout(hide, 250);
  };

  /** The symbol at a point: the one that was hit, or the nearest within reach of a finger. */
  function symbolAt(formula, { target, clientX, clientY }) {
    const hit = target.closest?.("[data-s]");
    if (hit) return Number(hit.dataset.s);
    const distance = (node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return Math.hypot(Math.max(left - clientX, 0, clientX - right), Math.max(top - clientY, 0, clientY - bottom));
    };
    const size = ({ offsetWidth, offsetHeight }) => offsetWidth * offsetHeight;
    const [nearest] = formula.drawn.map((node, place) => [distance(node), place, size(node)]).sort(([a, , c], [b, , d]) => a - b || c - d);
    return nearest && nearest[0] <= REACH ? nearest[1] : undefined;
  }

  /** A second click on what is asked asks the part around it, and so on outwards: V, then AV. */
  function widened(formula, place) {
    const around = [];
    for (let node = formula.drawn[place]; node; node = node.parentElement.closest("[data-s]")) around.push(Number(node.dataset.s));
    const now = shown?.pinned && shown.formula === formula ? around.indexOf(shown.place) : -1;
    return around[(now + 1) % around.length];
  }

  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

  function moved(formula, event) {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const place = Math.min(Math.max(formula.current + step, 0), formula.places.length - 1);
    formula.drawn[place].scrollIntoView({ block: "nearest", inline: "nearest" });
    formula.row.children[place].focus({ preventScroll: true });
  }

  /** One link for each symbol, or a button where the page itself explains it; all but one are skipped by Tab. */
  function rowOf(formula) {
    const row = document.createElement("div");
    const number = formula.node.querySelector(".eqno")?.firstChild.textContent;
    row.className = "symbols";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", `Symbols of formula ${number ?? "above"}, arrow keys`.replace(" above", ""));
    formula.places.forEach(([, answer], place) => {
      const address = answers[answer][3];
      const item = document.createElement(address ? "a" : "button");
      if (address) item.href = address;
      else item.type = "button";
      item.tabIndex = place ? -1 : 0;
      item.addEventListener("focus", () => show(formula, place));
      row.append(item);
    });
    row.addEventListener("focusout", ({ relatedTarget }) => row.contains(relatedTarget) || hide());
    row.addEventListener("keydown", (event) => moved(formula, event));
    return row;
  }

  function label(formula) {
    [...formula.row.children].forEach((item, place) => item.setAttribute("aria-label", sentence(formula, place)));
  }

  /** Let the symbols of one formula answer. */
  function bring(node) {
    const places = formulas[node.dataset.symbols];
    const drawn = places?.map((_, place) => node.querySelector(`[data-s="${place}"]`));
    if (!places?.length || drawn.includes(null)) return;
    const formula = { node, places, drawn, current: 0 };
    brought.set(node.dataset.symbols, formula);
    formula.turn = (place) => {
      formula.row.children[formula.current].tabIndex = -1;
      formula.row.children[place].tabIndex = 0;
      formula.current = place;
    };
    formula.row = rowOf(formula);
    label(formula);
    const display = node.querySelector(".katex-display");
    display.prepend(formula.row);
    for (const name of ["tabindex", "role", "aria-label"]) display.removeAttribute(name); // its links can be reached
    display.addEventListener("pointerover", (event) => {
      const hit = event.target.closest("[data-s]");
      if (hit && event.pointerType === "mouse" && !shown?.pinned) show(formula, Number(hit.dataset.s));
      else if (!hit) leave();
    });
    display.addEventListener("pointerleave", leave);
    display.addEventListener("click", (event) => {
      if (formula.row.contains(event.target)) return;
      const place = symbolAt(formula, event);
      if (place === undefined) hide();
      else show(formula, widened(formula, place), true);
    });
  }

  note.addEventListener("pointerenter", () => clearTimeout(leaving));
  note.addEventListener("pointerleave", leave);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("click", ({ target }) => target.closest(".katex-display, .symbol-note, [id^='code-'] pre") || hide());
  addEventListener("resize", () => shown && put(shown));
  document.body.append(note);

  /** From now on, symbols and parts answer with this code too. */
  function tellCode(tell) {
    codeOf = tell;
    for (const formula of brought.values()) label(formula);
  }

  const pointing = document.querySelector("script.pointing");
  for (const src of pointing ? [pointing.dataset.places, pointing.dataset.script] : []) {
    document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
  }
  return { bring, ask, leave, tellCode, answers, formulas };
})();
