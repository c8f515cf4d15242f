/** The ledger: find and filter equations; a chapter that is unfolded gets its formulas as KaTeX draws them. */
"use strict";

const ledgerDrawn = (boxes) => {
  for (const [label, html] of Object.entries(boxes)) {
    const place = document.querySelector(`.ledger-formula[data-label="${label}"]`);
    const mathml = place.innerHTML;
    place.innerHTML = `<span class="katex-display"><span class="katex"><span class="katex-mathml">${mathml}</span>${html}</span></span>`;
    fit(place.firstChild);
  }

  function fit(node) {
    const share = node.clientWidth / node.scrollWidth;
    if (share < 1) node.style.fontSize = `${Math.max(0.66, Math.floor(100 * share) / 100)}em`;
    if (node.scrollWidth > node.clientWidth + 1) Object.assign(node, { tabIndex: 0, role: "group", ariaLabel: "Wide equation" });
  }
};

(() => {
  const form = document.querySelector(".ledger-tools");
  const status = form.querySelector("[role=status]");
  const chapters = [...document.querySelectorAll(".ledger-chapter")];
  const rows = [...document.querySelectorAll(".ledger-chapter li")];
  const script = document.querySelector('script[src*="ledger.js"]').src;

  const plain = (node) => node.textContent.toLowerCase();
  const texts = new Map(rows.map((row) => [row, [row.id, ...[...row.querySelectorAll("p")].map(plain), plain(row.closest("details").querySelector("summary"))].join(" ")]));

  /** Fetch what KaTeX drew for a chapter, once. */
  function draw(chapter) {
    if (!chapter.open || !chapter.dataset.drawn) return;
    const node = document.createElement("script");
    node.src = script.replace(/ledger\.js.*/, chapter.dataset.drawn);
    delete chapter.dataset.drawn;
    document.head.append(node);
  }

  function fits(row, { find, formula, against }) {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (
      words.every((word) => texts.get(row).includes(word)) &&
      (!formula.value || row.dataset.formula === formula.value) &&
      (!against.value || row.dataset.against.split("|").includes(against.value))
    );
  }

  function filter() {
    const { find, formula, against } = form.elements;
    const asked = find.value.trim() || formula.value || against.value;
    for (const row of rows) row.hidden = !fits(row, form.elements);
    for (const chapter of chapters) {
      const left = chapter.querySelectorAll("li:not([hidden])").length;
      chapter.hidden = !left;
      chapter.querySelector("summary span").textContent = `${left} equation${left === 1 ? "" : "s"}`;
    }
    const left = rows.filter((row) => !row.hidden).length;
    if (asked && left <= 12) for (const chapter of chapters) chapter.open = !chapter.hidden;
    status.textContent = asked ? `${left} of ${rows.length} equations` : `${rows.length} equations`;
  }

  for (const chapter of chapters) {
    chapter.addEventListener("toggle", () => draw(chapter));
    draw(chapter);
  }
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
