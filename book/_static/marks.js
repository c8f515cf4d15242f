/** Marks in the contents: beside each page how many of its exercises are done, where any is. `exercises.js` has their keys. */
"use strict";

(() => {
  const root = new URL("..", document.currentScript.src).pathname;

  function isDone(key) {
    try {
      const kept = localStorage.getItem(key);
      return key.startsWith("write:") ? kept !== null : JSON.parse(kept)?.done === true;
    } catch {
      return false;
    }
  }

  function mark(link) {
    link.querySelector(".contents-done")?.remove();
    const keys = exercisesOfBook[link.pathname.slice(root.length).replace(/\.html$/, "")] ?? [];
    const done = keys.filter(isDone).length;
    if (!done) return;
    const node = Object.assign(document.createElement("span"), { className: "contents-done", textContent: `${done}/${keys.length}` });
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", `${done} of ${keys.length} exercises done`);
    link.append(" ", node);
  }

  const paint = () => document.querySelectorAll(".bd-docs-nav a.internal").forEach(mark);
  document.addEventListener("exercise:done", paint);
  addEventListener("storage", paint);
  addEventListener("pageshow", paint);
  paint();
})();
