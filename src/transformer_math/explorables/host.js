/** The built page's stand-in for Jupyter: gives each explorable on the page a model, and lets its module render. */
"use strict";

(() => {
  /** The part of a widget model that an explorable uses, made from the state in the page. */
  function modelOf(state) {
    const listeners = new Map();
    const emit = (event) => [...(listeners.get(event) ?? [])].forEach((listener) => listener());
    return {
      get: (name) => state[name],
      set(name, value) {
        if (Object.is(state[name], value)) return;
        state[name] = value;
        emit(`change:${name}`);
        emit("change");
      },
      on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      off: (event, listener) => listeners.get(event)?.delete(listener),
      save_changes() {},
      send() {},
    };
  }

  async function play(figure) {
    figure.dataset.playing = "true"; // a page may load this script twice
    const el = document.createElement("div");
    const still = figure.querySelector(".explorable-still");
    const text = (kind) => figure.querySelector(`script[data-part="${kind}"]`).textContent;
    const url = URL.createObjectURL(new Blob([text("module")], { type: "text/javascript" }));
    try {
      const module = await import(url);
      figure.prepend(el);
      await module.default.render({ model: modelOf(JSON.parse(text("state"))), el });
      still.remove();
    } catch (error) {
      el.remove();
      still.querySelector("p").textContent = `A still picture: the one that moves could not start (${error.message}).`;
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  const start = () => document.querySelectorAll("figure.explorable:not([data-playing])").forEach(play);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
