/**
 * Formula, code and picture answer each other: what is asked in a formula lights up in the page's code and in the heads,
 * captions and labels that bear its symbol; and code that is pointed at asks its formula.
 *
 * Which letters of which block belong to which place of which formula was found by value while the book was built.
 */
"use strict";

(() => {
  const { blocks, code, pictures } = pointingOfPage;
  const { ask, leave, tellCode, answers, formulas } = symbolsOfFormulas;
  const LONGEST = 72; // letters of code that a note shows
  let lit = [];

  const threes = (flat = []) => flat.flatMap((block, i) => (i % 3 ? [] : [{ block, from: flat[i + 1], to: flat[i + 2] }]));
  const all = Object.entries(code).flatMap(([name, places]) =>
    Object.entries(places).flatMap(([place, flat]) => threes(flat).map((piece) => ({ ...piece, name, place: Number(place) }))),
  );

  /** The letters of a block in spans, cut wherever a piece begins or ends: each knows from where to where it reaches. */
  function leavesOf(pre, pieces) {
    const cuts = [...new Set(pieces.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
    const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    let at = 0;
    return texts.flatMap((text) => {
      const [start, end] = [at, (at += text.length)];
      const bounds = [start, ...cuts.filter((cut) => start < cut && cut < end), end];
      const leaves = bounds.slice(1).map((to, i) => {
        const node = document.createElement("span");
        node.textContent = text.data.slice(bounds[i] - start, to - start);
        return { node, from: bounds[i], to };
      });
      text.replaceWith(...leaves.map(({ node }) => node));
      return leaves;
    });
  }

  const shown = blocks.map((id, block) => {
    const pre = document.getElementById(id)?.querySelector("pre");
    const pieces = all.filter((one) => one.block === block);
    return pre && { pre, pieces, leaves: leavesOf(pre, pieces) };
  });

  const within = ({ leaves }, { from, to }) => leaves.filter((leaf) => leaf.from >= from && leaf.to <= to).map(({ node }) => node);

  const textOf = (piece) => within(shown[piece.block], piece).map(({ textContent }) => textContent).join("");
  const escaped = (text) => text.replace(/[&<]/g, (sign) => ({ "&": "&amp;", "<": "&lt;" })[sign]);

  /** The code of a place in a few words, from the block that comes first: names, then what is computed, three at most. */
  function inWords(name, place) {
    const pieces = threes(code[name]?.[place]).filter(({ block }) => shown[block]);
    const known = answers[formulas[name][place][1]][2];
    const texts = [...new Set(pieces.filter(({ block }) => block === pieces[0].block).map(textOf))];
    const short = texts.filter((text) => text.length <= LONGEST && !text.includes("\n") && !known.includes(`<code>${escaped(text)}</code>`));
    const [names, computed] = [true, false].map((isName) => short.filter((text) => /^\w+$/.test(text) === isName));
    return [...names, ...computed].slice(0, 3).map((text) => `<code>${escaped(text)}</code>`).join(", ");
  }

  /** What bears a symbol: a head with its column or row, a caption, a label. */
  function borne(set) {
    const plain = set.replace(/<[^>]*>/g, "");
    const labels = [...document.querySelectorAll("figure svg text, .cell_output svg text")].filter(({ textContent }) => textContent === plain);
    const heads = [...document.querySelectorAll(":is(th, caption, figcaption) .symbol")].filter(({ innerHTML }) => innerHTML.split(/\s*[=≈∈]\s*/).includes(set));
    return [...labels, ...heads, ...heads.flatMap((node) => cellsOf(node.closest("th")))];
  }

  function cellsOf(head) {
    if (!head) return [];
    if (head.scope === "row") return [...head.parentElement.cells];
    return [...head.closest("table").rows].flatMap(({ cells }) => (cells[head.cellIndex] ? [cells[head.cellIndex]] : []));
  }

  function clear() {
    for (const node of lit) node.classList.remove("lit");
    lit = [];
  }

  function light({ name, place }) {
    clear();
    const set = pictures[name]?.[place];
    const pieces = threes(code[name]?.[place]).filter(({ block }) => shown[block]);
    const folds = pieces.map(({ block }) => shown[block].pre.closest("details:not([open])")?.querySelector("summary")).filter(Boolean);
    lit = [...pieces.flatMap((piece) => within(shown[piece.block], piece)), ...folds, ...(set ? borne(set) : [])];
    for (const node of lit) node.classList.add("lit");
  }

  /** A piece of code asks the formula that it belongs to: all places there that are worth the same. */
  function asked(piece, own, pinned) {
    const places = own.pieces.filter(({ name, from, to }) => name === piece.name && from === piece.from && to === piece.to);
    ask(piece.name, places.map(({ place }) => place), within(own, piece)[0], pinned);
  }

  /** The shortest piece at a node, of the formula that comes first. */
  function pieceAt(own, target) {
    const leaf = own.leaves.find(({ node }) => node === target);
    const around = leaf ? own.pieces.filter(({ from, to }) => from <= leaf.from && leaf.to <= to) : [];
    return around.sort((a, b) => a.to - a.from - (b.to - b.from))[0];
  }

  /** One stop for Tab, and the arrow keys from piece to piece, as in a formula. */
  function rowOf(own) {
    const row = document.createElement("div");
    row.className = "symbols";
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "Code that stands in a formula, arrow keys");
    const first = new Map(own.pieces.map((piece) => [`${piece.from}-${piece.to}`, piece]));
    for (const piece of [...first.values()].sort((a, b) => a.from - b.from || a.to - b.to)) {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = row.children.length ? -1 : 0;
      button.setAttribute("aria-label", `${textOf(piece)}: ${formulas[piece.name][piece.place][0].replace(/ of$/, " in a formula")}`);
      button.addEventListener("focus", () => asked(piece, own));
      row.append(button);
    }
    row.addEventListener("keydown", (event) => {
      const items = [...row.children];
      const now = items.indexOf(document.activeElement);
      const next = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const to = items[Math.min(Math.max(next, 0), items.length - 1)];
      for (const item of items) item.tabIndex = item === to ? 0 : -1;
      to.focus({ preventScroll: true });
    });
    row.addEventListener("focusout", leave);
    return row;
  }

  for (const own of shown.filter(Boolean)) {
    for (const piece of own.pieces) for (const node of within(own, piece)) node.classList.add("piece");
    own.pre.before(rowOf(own));
    own.pre.addEventListener("pointerover", ({ target, pointerType }) => {
      const piece = pieceAt(own, target);
      if (piece && pointerType === "mouse") asked(piece, own);
      else leave();
    });
    own.pre.addEventListener("pointerleave", leave);
    own.pre.addEventListener("click", ({ target }) => {
      const piece = pieceAt(own, target);
      if (piece) asked(piece, own, true);
    });
  }

  tellCode(inWords);
  document.addEventListener("formula:asked", ({ detail }) => light(detail));
  document.addEventListener("formula:left", clear);
})();
