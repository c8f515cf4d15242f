/** What pages do beyond the theme: what scrolls can be reached by keyboard and shows that it goes on; symbols of formulas answer; "/" opens the search. */
"use strict";

(() => {
  const SCROLLING = {
    ".katex-display": "Wide equation",
    "figure.computed > div, .pst-scrollable-table-container": "Wide table",
    ".bd-article pre": "Wide text",
  };

  const SMALLEST = 0.69; // 12 pixels on a phone
  const SMALLEST_FRACTIONS = 0.85;
  const SMALL_FRACTION = ".mfrac > .vlist-t > .vlist-r > .vlist > span > .reset-size6.size3"; // as in a case: its letters are small already

  /** A formula that is a little too wide is set smaller, again where smaller letters are not as narrow as reckoned; one that would become too small scrolls, in letters of full size. */
  function fit(node) {
    if (!node.matches(".katex-display")) return;
    node.style.removeProperty("--fit");
    const smallest = node.querySelector(SMALL_FRACTION) ? SMALLEST_FRACTIONS : SMALLEST;
    for (let size = 1; size > smallest && node.scrollWidth > node.clientWidth && node.clientWidth > 0; ) {
      size = Math.max(smallest, Math.floor((100 * size * node.clientWidth) / node.scrollWidth) / 100);
      node.style.setProperty("--fit", size);
    }
    if (node.scrollWidth > node.clientWidth + 1) node.style.removeProperty("--fit");
  }

  /** Only where there is more than fits: a stop for the keyboard, a name, a fading edge on the side that goes on. */
  function mark(node, name) {
    const room = node.scrollWidth - node.clientWidth;
    if (room > 1 && node.clientWidth > 0) {
      const more = [node.scrollLeft > 1 && "left", node.scrollLeft < room - 1 && "right"];
      node.dataset.more = more.filter(Boolean).join(" ");
      if (node.querySelector(".symbols")) return; // its symbols can be reached
      node.tabIndex = 0;
      node.setAttribute("role", "group");
      node.setAttribute("aria-label", name);
    } else if (node.dataset.more !== undefined) {
      for (const attribute of ["data-more", "tabindex", "role", "aria-label"]) node.removeAttribute(attribute);
    }
  }

  function watchScrolling() {
    const names = new Map();
    const settle = (nodes) => {
      nodes.forEach(fit);
      nodes.forEach((node) => mark(node, names.get(node)));
    };
    const resized = new ResizeObserver((entries) => requestAnimationFrame(() => settle(entries.map(({ target }) => target))));
    for (const [selector, name] of Object.entries(SCROLLING)) {
      for (const node of document.querySelectorAll(selector)) {
        if (node.closest(".xp")) continue;
        names.set(node, name);
        node.addEventListener("scroll", () => mark(node, name), { passive: true });
      }
    }
    const all = [...names.keys()];
    settle(all);
    all.forEach((node) => resized.observe(node));
    addEventListener("resize", () => settle(all));
    document.fonts.addEventListener("loadingdone", () => settle(all)); // letters of another font are of another width
  }

  /** When a formula comes near, load what lets its symbols answer. */
  function watchFormulas() {
    const data = document.querySelector("script.symbols");
    if (!data) return;
    const ready = () =>
      new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = data.dataset.script;
        script.onload = resolve;
        document.head.append(script);
      });
    let loaded;
    const near = new IntersectionObserver(
      (entries) => {
        for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
          near.unobserve(target);
          loaded ??= ready();
          loaded.then(() => symbolsOfFormulas.bring(target));
        }
      },
      { rootMargin: "400px 0px" },
    );
    document.querySelectorAll("div.math[data-symbols]").forEach((node) => near.observe(node));
  }

  function openSearch(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const button = document.querySelector(".search-button__button");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.click();
  }

  /** Whether a fold is what the sentence before it announces: a figure or a table of the same cell would be that instead. */
  function isAnnounced(fold) {
    const cell = fold.closest(".cell") ?? fold;
    if ([...cell.querySelectorAll("figure, table, blockquote")].some((node) => !fold.contains(node))) return false;
    const before = cell.previousElementSibling;
    return before?.tagName === "P" && before.textContent.trimEnd().endsWith(":");
  }

  /** What paper shows of what is folded: all of it, or in the reading of ideas what a sentence announces or an exercise is about. */
  function foldsToPrint() {
    const chapters = [...document.querySelectorAll("details.progress-chapter:not([open])")];
    const folds = [...document.querySelectorAll(":is(details.fold, details.sd-dropdown):not([open])")];
    if (document.documentElement.dataset.reading !== "ideas") return [...chapters, ...folds];
    const about = [...document.querySelectorAll(".exercise a[href^='#']")].map((link) => document.getElementById(link.hash.slice(1)));
    const wanted = folds.filter((fold) => isAnnounced(fold) || about.some((node) => fold.contains(node)));
    return [...chapters, ...wanted];
  }

  /** Print in the light theme, and open what paper shows; afterwards all is as it was. */
  function printWell() {
    const page = document.documentElement;
    let undo = [];
    addEventListener("beforeprint", () => {
      const theme = page.dataset.theme;
      page.dataset.theme = "light";
      undo.push(() => (page.dataset.theme = theme));
      for (const node of foldsToPrint()) {
        node.open = true;
        undo.push(() => (node.open = false));
      }
    });
    addEventListener("afterprint", () => {
      undo.forEach((back) => back());
      undo = [];
    });
  }

  document.addEventListener("keydown", openSearch, true);
  printWell();
  const start = () => [watchScrolling, watchFormulas].forEach((watch) => watch());
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
