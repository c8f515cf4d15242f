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
  let shown; // { formula, place, pinned }
  let leaving;

  const text = (html) => new DOMParser().parseFromString(html.replace(/<su([bp])>/g, " su$1 "), "text/html").body.textContent.replace(/\s+/g, " ");

  /** The other places in a formula at which the same symbol stands. */
  const others = ({ places }, place) => places.flatMap(([, answer], i) => (i !== place && answer === places[place][1] ? [i] : []));

  function elsewhere(formula, place) {
    const count = others(formula, place).length;
    return count ? `${count} other ${count === 1 ? "place" : "places"} in this formula` : "";
  }

  function sentence(formula, place) {
    const [aloud, answer] = formula.places[place];
    const [meaning, shape, code] = answers[answer].map(text);
    const parts = [meaning, shape && `shape ${shape}`, code && `in the code ${code}`, elsewhere(formula, place)];
    return `${aloud}: ${parts.filter(Boolean).join("; ")}`;
  }

  function fill(formula, place) {
    const [meaning, shape, code, address] = answers[formula.places[place][1]];
    const line = (name, html) => (html ? `<div><dt>${name}</dt><dd>${html}</dd></div>` : "");
    const link = address ? `<a href="${address}" tabindex="-1">${/symbol-/.test(address) ? "Notation" : "Its formula"}</a>` : "";
    note.innerHTML = `<p><span class="katex"><span class="katex-html"><span class="base"></span></span></span> ${meaning}</p><dl>${
      line("Shape", shape) + line("In the code", code) + line("Also at", elsewhere(formula, place).replace(" in this", " of this"))
    }</dl>${link}`;
    const drawn = formula.drawn[place].cloneNode(true);
    drawn.className = "enclosing";
    note.querySelector(".base").append(drawn);
  }

  /** Below the formula, or above it where there is no room; beside the symbol, within the window. */
  function put(formula, place) {
    const [symbol, box] = [formula.drawn[place], formula.node].map((node) => node.getBoundingClientRect());
    const { offsetWidth: width, offsetHeight: height } = note;
    const page = document.documentElement.clientWidth;
    const left = Math.min(Math.max(symbol.left + symbol.width / 2 - width / 2, 8), page - width - 8);
    const candidates = [box.bottom + 4, box.top - height - 4, symbol.bottom + 8];
    const top = candidates.find((y) => y >= 60 && y + height <= innerHeight) ?? symbol.bottom + 8;
    note.style.transform = `translate(${Math.round(left + scrollX)}px, ${Math.round(top + scrollY)}px)`;
  }

  function show(formula, place, pinned = false) {
    clearTimeout(leaving);
    if (shown?.formula === formula && shown.place === place) {
      shown.pinned ||= pinned;
      return;
    }
    hide();
    shown = { formula, place, pinned };
    formula.drawn[place].classList.add("asked");
    for (const other of others(formula, place)) formula.drawn[other].classList.add("same");
    fill(formula, place);
    note.hidden = false;
    put(formula, place);
    formula.turn(place);
  }

  function hide() {
    clearTimeout(leaving);
    if (!shown) return;
    for (const node of shown.formula.drawn) node.classList.remove("asked", "same");
    note.hidden = true;
    shown = undefined;
  }

  const leave = () => {
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
    const [nearest] = formula.drawn.map((node, place) => [distance(node), place]).sort(([a], [b]) => a - b);
    return nearest && nearest[0] <= REACH ? nearest[1] : undefined;
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
      item.setAttribute("aria-label", sentence(formula, place));
      item.addEventListener("focus", () => show(formula, place));
      row.append(item);
    });
    row.addEventListener("focusout", ({ relatedTarget }) => row.contains(relatedTarget) || hide());
    row.addEventListener("keydown", (event) => moved(formula, event));
    return row;
  }

  /** Let the symbols of one formula answer. */
  function bring(node) {
    const places = formulas[node.dataset.symbols];
    const drawn = places?.map((_, place) => node.querySelector(`[data-s="${place}"]`));
    if (!places?.length || drawn.includes(null)) return;
    const formula = { node, places, drawn, current: 0 };
    formula.turn = (place) => {
      formula.row.children[formula.current].tabIndex = -1;
      formula.row.children[place].tabIndex = 0;
      formula.current = place;
    };
    formula.row = rowOf(formula);
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
      else show(formula, place, true);
    });
  }

  note.addEventListener("pointerenter", () => clearTimeout(leaving));
  note.addEventListener("pointerleave", leave);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("click", ({ target }) => target.closest(".katex-display, .symbol-note") || hide());
  addEventListener("resize", () => shown && put(shown.formula, shown.place));
  document.body.append(note);
  return { bring };
})();
