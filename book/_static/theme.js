/** What the theme leaves to Bootstrap, as far as a page needs it: the menu of downloads opens, the page's contents mark the section in sight. */
"use strict";

(() => {
  /** A button opens the list after it, and so do the arrow keys, which go through it; Escape, a click or the focus elsewhere closes it. */
  function letOpen(button) {
    const [box, list] = [button.parentElement, button.nextElementSibling];
    const isOpen = () => list.classList.contains("show");
    const turn = (open) => {
      list.classList.toggle("show", open);
      button.setAttribute("aria-expanded", open);
    };
    button.addEventListener("click", () => turn(!isOpen()));
    document.addEventListener("click", ({ target }) => isOpen() && !button.contains(target) && turn(false));
    box.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !box.contains(relatedTarget) && turn(false));
    box.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape" && isOpen()) {
        turn(false);
        button.focus();
      } else if (step) {
        event.preventDefault();
        turn(true);
        const items = [...list.querySelectorAll("a, button")];
        const place = items.indexOf(document.activeElement) + step;
        items[Math.min(Math.max(place, 0), items.length - 1)].focus();
      }
    });
  }

  /** The last section that reaches into the upper two fifths of the window is marked, and those that it is part of. */
  function markSections(links) {
    const sections = new Map(links.map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]));
    sections.delete(null);
    const near = new Set();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) near[isIntersecting ? "add" : "delete"](target);
        const now = [...sections.keys()].findLast((section) => near.has(section));
        for (const [section, link] of sections) {
          const here = now !== undefined && section.contains(now);
          for (const node of [link, link.parentElement]) node.classList.toggle("active", here);
          if (section === now) link.setAttribute("aria-current", "location");
          else link.removeAttribute("aria-current");
        }
      },
      { rootMargin: "0px 0px -60%" },
    );
    for (const section of sections.keys()) watch.observe(section);
  }

  document.querySelectorAll(".dropdown > .dropdown-toggle").forEach(letOpen);
  markSections([...document.querySelectorAll(".bd-toc-nav a[href^='#']")]);
})();
