/**
 * The built page's stand-in for Jupyter: brings each explorable to life when it comes near the window.
 *
 * A page opened from a folder may load classic scripts and nothing else. So each module arrives as a script that
 * registers the module's text; texts become Blob URLs, which import each other. Every file is loaded once, when needed.
 */
"use strict";

globalThis.explorables ??= (() => {
  const home = new URL(".", document.currentScript.src);
  const version = globalThis.explorablesVersion ?? "";
  const IMPORT = /from "(\.{1,2}\/[\w./]+\.js)"/g;
  const FIELD = "input, textarea";
  const texts = new Map();
  const register = (name, text) => texts.set(name, text);

  /** Do it once for each name, and remember. */
  const once = (work) => {
    const done = new Map();
    return (name) => done.get(name) ?? done.set(name, work(name)).get(name);
  };

  const text = once(
    (name) =>
      new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL(`${name}?${version}`, home);
        script.onload = () => resolve(texts.get(name));
        script.onerror = () => reject(new Error(`${name} is missing`));
        document.head.append(script);
      }),
  );

  const fileOf = (path, from) => new URL(path, `file:///${from}`).pathname.slice(1);

  const moduleUrl = once(async (name) => {
    const source = await text(name);
    const paths = [...source.matchAll(IMPORT)].map((found) => fileOf(found[1], name));
    const urls = await Promise.all(paths.map(moduleUrl));
    const linked = source.replace(IMPORT, () => `from "${urls.shift()}"`);
    return URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
  });

  const weights = once(async (name) => {
    const packed = await text(`weights/${name}.js`);
    const unpacked = await fetch(`data:;base64,${packed}`); // the browser's own, beside the page's thread
    return new Uint8Array(await unpacked.arrayBuffer());
  });

  /** A library that the book holds beside the explorables, with its style sheet. */
  const library = once(async (name) => {
    const folder = new URL(`../${name}/`, home);
    const sheet = document.createElement("link");
    const script = document.createElement("script");
    const loaded = (node) => new Promise((resolve, reject) => Object.assign(node, { onload: resolve, onerror: () => reject(new Error(`${name} is missing`)) }));
    const both = Promise.all([loaded(sheet), loaded(script)]);
    Object.assign(sheet, { rel: "stylesheet", href: new URL(`${name}.cut.css?${version}`, folder) });
    Object.assign(script, { src: new URL(`${name}.min.js?${version}`, folder) });
    document.head.append(sheet, script);
    await both;
    return globalThis[name];
  });

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
      weights,
      library,
    };
  }

  /** What was typed into the still picture goes on in the live one, the cursor where it was. */
  function handOver(field, model, el) {
    model.set(field.name, field.value);
    const live = el.querySelector(FIELD);
    live.value = field.value;
    if (document.activeElement !== field) return;
    live.focus({ preventScroll: true });
    live.setSelectionRange(field.selectionStart, field.selectionEnd);
  }

  /** What was pressed in the still picture is pressed in the live one. */
  function pressAgain(pressed, el) {
    const live = [...el.querySelectorAll("button")].find((button) => button.textContent === pressed.textContent);
    live.focus({ preventScroll: true });
    live.click();
  }

  async function play(figure, pressed) {
    const still = figure.querySelector(".explorable-still");
    const field = still.querySelector(FIELD);
    const el = document.createElement("div");
    el.className = "explorable-live";
    if (field) still.querySelector("p").textContent = "Fetching the model …";
    try {
      const module = await import(await moduleUrl(`${figure.dataset.explorable}.js`));
      const state = JSON.parse(figure.querySelector('script[data-part="state"]').textContent);
      const model = modelOf(state);
      still.before(el);
      await module.default.render({ model, el });
      if (field) handOver(field, model, el);
      if (pressed) pressAgain(pressed, el);
      still.remove();
    } catch (error) {
      el.remove();
      still.querySelector("p").textContent = `A still picture: the one that moves could not start (${error.message}).`;
    }
  }

  const near = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
        near.unobserve(target);
        play(target);
      }
    },
    { rootMargin: "800px 0px" },
  );
  /** Most start when they come near; one whose still picture has a field of text, at the first keystroke or press there. */
  const start = () =>
    document.querySelectorAll("figure.explorable").forEach((figure) => {
      const controls = figure.querySelectorAll(`.explorable-still :is(${FIELD}, button)`);
      if (controls.length === 0) return near.observe(figure);
      figure.querySelector(".explorable-still p").textContent = "Type or press: the model is fetched then, and answers here.";
      const woken = new AbortController();
      const wake = (pressed) => {
        woken.abort();
        play(figure, pressed);
      };
      for (const control of controls) {
        control.disabled = false;
        const field = control.matches(FIELD);
        control.addEventListener(field ? "input" : "click", () => wake(field ? undefined : control), { signal: woken.signal });
      }
      return undefined;
    });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
  return { register };
})();
