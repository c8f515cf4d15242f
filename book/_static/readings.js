/** The switch between two readings of a page, and links that unfold what they point to. */
"use strict";

(() => {
  const page = document.documentElement;
  const buttons = [...document.querySelectorAll(".readings button")];

  function show(reading) {
    page.dataset.reading = reading;
    for (const node of document.querySelectorAll("details.aside")) node.open = reading === "everything";
    press();
  }

  function press() {
    for (const button of buttons) button.setAttribute("aria-pressed", button.value === page.dataset.reading);
  }

  function choose({ currentTarget }) {
    const top = currentTarget.getBoundingClientRect().top;
    show(currentTarget.value);
    scrollBy(0, currentTarget.getBoundingClientRect().top - top);
    try {
      localStorage.setItem("reading", currentTarget.value);
    } catch {
      // where nothing is kept, the choice holds for this page
    }
  }

  /** Open all that an address points into; `#eq-…` is short for a formula's own address. */
  function unfold() {
    const name = decodeURIComponent(location.hash.slice(1));
    const target = document.getElementById(name) ?? document.getElementById(`equation-${name}`);
    if (!target) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  press();
  for (const button of buttons) button.addEventListener("click", choose);
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
