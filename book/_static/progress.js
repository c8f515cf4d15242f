/** Your exercises: which are done, where to go on, a file of it all that another browser can read. */
"use strict";

(() => {
  const BOOK = "The Executable Transformer";
  const tools = document.querySelector(".progress-tools");
  const [sums, next, says] = ["sums", "next", "says"].map((name) => document.querySelector(`.progress-${name}`));
  const rows = [...document.querySelectorAll(".progress-chapter li")];
  const chapters = [...document.querySelectorAll(".progress-chapter")];
  const known = new Set(rows.map((row) => row.dataset.key));
  const isFormula = (key) => key.startsWith("write:");

  // What is kept: for an exercise what was given and whether it is done, for a formula the day.

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isAnswer = (value) => ["string", "number"].includes(typeof value) || (Array.isArray(value) && value.every(Number.isFinite));
  const isDay = (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value);
  const isExercise = (value) =>
    isObject(value) &&
    isObject(value.given) &&
    Object.entries(value.given).every(([place, answer]) => /^\d+$/.test(place) && isAnswer(answer)) &&
    [true, false, undefined].includes(value.done);
  const fits = (key, value) => (isFormula(key) ? isDay(value) : isExercise(value));

  function kept(key) {
    const text = localStorage.getItem(key);
    const value = isFormula(key) ? text : parsed(text);
    return fits(key, value) ? value : undefined;
  }

  const keep = (key, value) => localStorage.setItem(key, isFormula(key) ? value : JSON.stringify(value));
  const all = () => Object.fromEntries([...known].map((key) => [key, kept(key)]).filter(([, value]) => value !== undefined));
  const isDone = (key, value) => value !== undefined && (isFormula(key) || value.done === true);

  // Words.

  const many = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const listed = (keys) => {
    const formulas = keys.filter(isFormula).length;
    const parts = [[keys.length - formulas, "exercise"], [formulas, "formula"]].filter(([n]) => n);
    return parts.map(([n, word]) => many(n, word)).join(" and ");
  };
  const tell = (text) => (says.textContent = text);

  // The list.

  function paintRow(row, state) {
    const { key } = row.dataset;
    const [done, begun] = [isDone(key, state[key]), Object.keys(state[key]?.given ?? {}).length > 0];
    row.className = done ? "done" : begun ? "begun" : "";
    row.querySelector(".progress-state")?.remove();
    const words = done ? "done" : begun ? "begun" : "";
    if (words) row.append(" ", Object.assign(document.createElement("span"), { className: "progress-state", textContent: words }));
  }

  const ofAll = (own, word) => own.length && `${own.filter((row) => row.matches(".done")).length} of ${many(own.length, word)}`;
  const sum = (own) =>
    [[false, "exercise"], [true, "formula"]].map(([formula, word]) => ofAll(own.filter((row) => isFormula(row.dataset.key) === formula), word)).filter(Boolean);
  const ofChapter = (own) => (own.some((row) => row.matches(".done")) ? sum(own).join(" · ") : listed(own.map((row) => row.dataset.key)).replace(" and ", " · "));

  /** The first that is open in the chapter last visited, or behind it, or anywhere. */
  function firstOpen() {
    const from = Math.max(0, chapters.findIndex((chapter) => chapter.dataset.page === localStorage.getItem("chapter")));
    const turned = [...chapters.slice(from), ...chapters.slice(0, from)];
    return turned.flatMap((chapter) => [...chapter.querySelectorAll("li")]).find((row) => !row.matches(".done"));
  }

  function paintNext(begun) {
    const row = firstOpen();
    if (!row) return (next.textContent = "Nothing is left to do. Well done.");
    const link = row.querySelector("a").cloneNode(true);
    const title = row.closest("details").querySelector("summary").firstChild.textContent.trim();
    link.textContent = `${title}, ${isFormula(row.dataset.key) ? `write ${link.textContent}` : link.textContent}`;
    next.replaceChildren(begun ? "Go on here: " : "Begin here: ", link);
  }

  function paint() {
    const state = all();
    for (const row of rows) paintRow(row, state);
    for (const chapter of chapters) chapter.querySelector("summary span").textContent = ofChapter([...chapter.querySelectorAll("li")]);
    sums.textContent = `Done: ${sum(rows).join(" and ")}.`;
    paintNext(Object.keys(state).length > 0);
    for (const name of ["save", "forget"]) tools.querySelector(`[name=${name}]`).disabled = !Object.keys(state).length;
  }

  const changed = () => document.dispatchEvent(new CustomEvent("exercise:done", { detail: {} }));

  // The file.

  function save() {
    const state = all();
    const text = JSON.stringify({ book: BOOK, saved: new Date().toISOString().slice(0, 10), kept: state }, null, 1);
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href, download: "exercises.json" }).click();
    URL.revokeObjectURL(href);
    tell(`Saved: ${listed(Object.keys(state))}.`);
  }

  const joined = (mine, theirs) => (isObject(theirs) ? { given: { ...theirs.given, ...mine?.given }, done: Boolean(mine?.done || theirs.done) } : (mine ?? theirs));

  /** What of a file's text can be used here; an Error says what is wrong with it. */
  function usable(text) {
    const file = parsed(text);
    if (file === undefined) throw new Error("This is not a file that this page saved: it is not JSON.");
    if (!isObject(file) || file.book !== BOOK || !isObject(file.kept)) throw new Error("This is JSON, but not a file that this page saved: it does not name this book.");
    const entries = Object.entries(file.kept);
    return [entries.filter(([key, value]) => known.has(key) && fits(key, value)), entries.length];
  }

  async function read(file) {
    try {
      const [entries, count] = usable(await file.text());
      const fresh = entries.filter(([key, value]) => isDone(key, value) && !isDone(key, kept(key))).map(([key]) => key);
      for (const [key, value] of entries) keep(key, joined(kept(key), value));
      const left = count - entries.length;
      const rest = left ? ` ${left === 1 ? "One entry was" : `${left} entries were`} left out: this book has no such exercise, or no such answer.` : "";
      tell(`${fresh.length ? `Read. New here: ${listed(fresh)} done.` : "Read. All that is done there was done here already."}${rest}`);
      changed();
    } catch (error) {
      tell(error.message);
    }
  }

  function forget() {
    const keys = Object.keys(all());
    if (!confirm(`Forget ${listed(keys)} on this machine? What you have not saved as a file is lost.`)) return tell("Nothing was forgotten.");
    for (const key of [...keys, "chapter"]) localStorage.removeItem(key);
    tell("Everything was forgotten.");
    changed();
  }

  /** The chapter last visited is open, as soon as that is known: another tab may tell it, or the page before this one, late. */
  function unfold() {
    const last = chapters.find((chapter) => chapter.dataset.page === localStorage.getItem("chapter"));
    if (last) last.open = true;
  }

  function start() {
    try {
      paint();
      localStorage.setItem("try", ""); // not what is kept: it may just have been written in another tab
      localStorage.removeItem("try");
    } catch {
      return tell("Your browser keeps nothing on this machine just now (a private window may be the reason), so nobody knows what you have done. The list is complete all the same.");
    }
    const [input] = tools.getElementsByTagName("input");
    const actions = { save, forget, read: () => input.click() };
    for (const button of tools.querySelectorAll("button")) button.addEventListener("click", actions[button.name]);
    input.addEventListener("change", async () => {
      await read(input.files[0]);
      input.value = "";
    });
    tools.hidden = false;
    document.addEventListener("exercise:done", paint);
    addEventListener("storage", paint);
    addEventListener("pageshow", paint);
    addEventListener("storage", ({ key }) => key === "chapter" && unfold());
    unfold();
  }

  start();
})();
