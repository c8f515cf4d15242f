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
  const IMPORT = /from ?"(\.{1,2}\/[\w./]+\.js)"/g;
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
  function pressAgain(pressed, figure) {
    const live = [...figure.querySelectorAll(".explorable-live button")].find((button) => button.textContent === pressed.textContent);
    live?.focus({ preventScroll: true });
    live?.click();
  }

  const OFFER = ".explorable-offer";

  /** A model was asked for: the cursor goes on in its figure, and the other figures of the page that wait for it start as they come near. */
  function taken(figure) {
    figure.querySelector(".explorable-live :is(input, textarea, select, button)")?.focus({ preventScroll: true });
    for (const waits of document.querySelectorAll(`figure.explorable:has(${OFFER})`)) near.observe(waits);
  }

  function offer(figure, button) {
    button.disabled = false;
    figure.querySelector(".explorable-still p").textContent = "A still picture: it moves when the model is here.";
    figure.querySelector(".explorable-still").addEventListener("click", () => play(figure).then(() => taken(figure)), { once: true });
  }

  // ---- a figure, and the address that holds its state ----

  const ADDRESS = /^#([\w-]+)\??(.*)$/;
  const asked = () => ADDRESS.exec(location.hash)?.slice(1) ?? [];
  const link = async () => import(await moduleUrl("link.js"));
  const figures = new Map(); // those that live: what `link.js` has to know of each

  /** The line below a figure, in its margin: what is said of links, and a button that copies the figure's address. */
  function lineBelow(figure) {
    const line = document.createElement("div");
    line.className = "explorable-link";
    line.innerHTML = '<span aria-live="polite"></span><button class="explorable-copy" type="button" hidden>copy link</button>';
    figure.append(line);
    const [said, button] = line.children;
    button.addEventListener("click", async () => (await link()).copy(figures.get(figure)));
    return { said, button };
  }

  /** Beside the heading of the tasks, where a figure has any, the button is on one screen with the rest. */
  function showButton(button, el) {
    button.setAttribute("aria-label", `copy link to ${nameOf(el)}`);
    el.querySelector(".xp-goals:not([hidden]) > .xp-caption")?.append(button);
    button.hidden = false;
  }

  const nameOf = (el) => {
    const label = el.firstChild.getAttribute("aria-label");
    return label ? `“${label}”` : "this figure";
  };

  const render = async (module, state, el) => {
    const model = modelOf({ ...state });
    await module.default.render({ model, el });
    return model;
  };

  /** Show the state that the address asks for; where the figure cannot, the one at the start. */
  async function renderLinked(module, query, about, el) {
    const { opened } = await link();
    try {
      return await render(module, await opened(query, about), el);
    } catch {
      el.replaceChildren();
      about.said.textContent = "This link asks for something that the figure cannot show.";
      return render(module, about.start, el);
    }
  }

  const play = once(async (figure) => {
    const still = figure.querySelector(".explorable-still");
    const field = still.querySelector(FIELD);
    const el = document.createElement("div");
    el.className = "explorable-live explorable-coming"; // over the still picture: below it the page would move, and be scrolled after
    const waits = field ? still.querySelector("p") : still.querySelector(OFFER);
    if (waits) waits.textContent = "Fetching the model …";
    try {
      const module = await import(await moduleUrl(`${figure.dataset.explorable}.js`));
      const start = JSON.parse(figure.querySelector('script[data-part="state"]').textContent);
      const [id, query] = asked();
      const isLinked = id === figure.id && query;
      const kinds = async () => (await text("kinds.js"))[figure.dataset.explorable];
      const about = { id: figure.id, start, kinds, ...lineBelow(figure) };
      still.before(el);
      about.model = await (isLinked ? renderLinked(module, query, about, el) : render(module, start, el));
      figures.set(figure, about);
      el.classList.remove("explorable-coming");
      showButton(about.button, el);
      if (field && !isLinked) handOver(field, about.model, el);
      still.remove();
    } catch (error) {
      el.remove();
      still.querySelector("p").textContent = `A still picture: the one that moves could not start (${error.message}).`;
    }
  });

  /** Go to the figure that the address names, open what it is folded into, and give it the state after the “?”. */
  async function visit() {
    const [id, query] = asked();
    const figure = id && document.getElementById(id);
    if (!figure?.dataset.explorable) return;
    for (let fold = figure.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
    let at = scrollY;
    const show = () => {
      if (scrollY !== at) return; // the reader went on
      figure.scrollIntoView({ behavior: "instant" });
      at = scrollY;
    };
    show();
    if (document.readyState !== "complete") addEventListener("load", show, { once: true }); // fonts have come, lines have moved
    if (!query) return;
    const about = figures.get(figure);
    if (!about) return play(figure).then(show);
    const state = await (await link()).opened(query, about);
    for (const name of Object.keys(state)) about.model.set(name, state[name]);
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
  /** The n-th figure of an idea on a page is `position-rope-n`, the first one without a number. */
  function nameAll(all) {
    const counts = new Map();
    for (const figure of all) {
      const name = figure.dataset.explorable.replace(/[/_]/g, "-");
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      figure.id = count > 1 ? `${name}-${count}` : name;
    }
  }

  /** Most start when they come near; one whose still picture has a field of text or offers a model, at the first keystroke or press there. */
  function startWhenNeeded(figure) {
    const button = figure.querySelector(OFFER);
    if (button) return offer(figure, button);
    const controls = figure.querySelectorAll(`.explorable-still :is(${FIELD}, button)`);
    if (controls.length === 0) return near.observe(figure);
    figure.querySelector(".explorable-still p").textContent = "Type or press: the model is fetched then, and answers here.";
    for (const control of controls) {
      control.disabled = false;
      if (control.matches(FIELD)) control.addEventListener("input", () => play(figure), { once: true });
      else control.addEventListener("click", () => play(figure).then(() => pressAgain(control, figure)), { once: true });
    }
  }

  function start() {
    const all = document.querySelectorAll("figure.explorable");
    nameAll(all);
    all.forEach(startWhenNeeded);
    visit();
    addEventListener("hashchange", visit);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
  return { register };
})();
