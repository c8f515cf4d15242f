/** The search page: ranks titles, names and words, and shows results with the words marked; no request but for the texts of what is shown. */
"use strict";

const bookSearch = (() => {
  const SHOWN = 20;
  const PER_PAGE = 3; // sections of one page, so that no page fills the list
  const AROUND = 90; // letters shown before a word that was found
  const LONG = 260;
  const EVERYWHERE = /^(?:Exercises|Questions people ask|Read on|Shapes and cost|Model card)$/;
  const field = document.querySelector("#find");
  const status = document.querySelector("#found");
  const list = document.querySelector("#results");
  let book;
  const texts = new Map();
  const waiting = new Map();

  // Words, as `search_text.py` cuts them.

  function spelt(word) {
    word = word.replace(/iz(?=e|ing|ation|er)/g, "is");
    if (/(?:ss|us|is)es$/.test(word)) return word.slice(0, -2);
    return word.length > 3 && /[^suia]s$/.test(word) ? word.slice(0, -1) : word;
  }

  const PIECE = /[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*/gu;

  function words(text) {
    return [...text.toLowerCase().matchAll(PIECE)].flatMap(([piece]) => {
      const parts = piece.split("-").map(spelt);
      return parts.length > 1 ? [...parts, spelt(piece.replaceAll("-", ""))] : parts;
    });
  }

  /** What is asked: each word is that word, or begins with it; what a hyphen joins is one word or several. */
  const asked = (text) => [...text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}_-]+/gu)].map(([word]) => spelt(word.replaceAll("-", "")));

  /** The question, and the same with another name for what it names. */
  function meanings(text) {
    const own = asked(text);
    const spoken = ` ${own.join(" ")} `;
    const others = book.synonyms.flatMap((names) => {
      const plain = names.map((name) => ` ${asked(name).join(" ")} `);
      const there = plain.filter((name) => spoken.includes(name)).sort((a, b) => b.length - a.length)[0];
      return there ? plain.filter((name) => name !== there).map((name) => spoken.replace(there, name).trim().split(" ")) : [];
    });
    return [own, ...others];
  }

  /** Words, and two that follow each other in one piece: a heading that says “warm up” is about the warm-up. */
  const withPairs = (own) => [...own, ...own.slice(1).map((word, i) => own[i] + word)];

  // The index.

  function read({ pages, sections, names, synonyms, words: text }) {
    const index = new Map();
    const pieces = text.split(" ");
    for (let i = 0; i < pieces.length; i += 2) index.set(pieces[i], pieces[i + 1]);
    book = { pages, sections, names, synonyms, index, all: [...index.keys()] };
    const first = new Map();
    sections.forEach(([page], i) => first.has(page) || first.set(page, i));
    book.titles = sections.map(([, , title]) => withPairs(words(title)));
    book.shares = sections.map(([page, , title]) => (pages[page][1] ? 0.3 : 1) * (EVERYWHERE.test(title) ? 0.6 : 1));
    book.firsts = first;
    if (field.value) show();
  }

  function places(steps) {
    let place = 0;
    return steps.split(".").map((step) => {
      place += parseInt(step, 36);
      return [place, step.endsWith("+") ? 2 : 1];
    });
  }

  /** How well each section answers one word: in its text, its title, its page's title. */
  function forWord(word) {
    const found = new Map();
    const add = (place, score) => found.set(place, Math.max(found.get(place) ?? 0, score));
    const meets = (own) => (own === word ? 1 : word.length > 2 && own.startsWith(word) ? 0.6 : 0);
    for (const own of book.all) {
      const share = meets(own);
      if (share) for (const [place, times] of places(book.index.get(own))) add(place, share * times);
    }
    const inTitle = book.titles.map((title) => Math.max(0, ...title.map(meets)));
    book.sections.forEach(([page], i) => {
      const first = book.firsts.get(page);
      if (inTitle[i]) found.set(i, (found.get(i) ?? 0) + inTitle[i] * (i === first ? 20 : 8));
      else if (inTitle[first] && found.has(i)) found.set(i, found.get(i) + inTitle[first] * 2);
    });
    return found;
  }

  /** Sections that have all words of a question, best first. */
  function answer(question, weight) {
    const parts = question.map(forWord);
    const [rarest, ...rest] = parts.sort((a, b) => a.size - b.size);
    return [...(rarest ?? [])].filter(([place]) => rest.every((part) => part.has(place))).map(([place, score]) => {
      const sum = rest.reduce((total, part) => total + part.get(place), score) / parts.length;
      const title = book.titles[place];
      const whole = question.every((word) => title.includes(word)) ? (12 * question.length) / (title.length + 1) : 0;
      return { place, page: book.sections[place][0], score: weight * (sum + whole) * book.shares[place] };
    });
  }

  function sections(text) {
    const best = new Map();
    meanings(text).forEach((question, i) => {
      for (const found of answer(question, i ? 0.9 : 1)) {
        if (!(best.get(found.place)?.score >= found.score)) best.set(found.place, { ...found, question });
      }
    });
    const count = new Map();
    return [...best.values()].sort((a, b) => b.score - a.score || a.place - b.place).filter(({ page }) => {
      count.set(page, (count.get(page) ?? 0) + 1);
      return count.get(page) <= PER_PAGE;
    });
  }

  /** Functions by their name, formulas by their number. */
  function named(text) {
    const plain = text.trim().toLowerCase().replace(/\(.*$/, "").replace(/[\s-]+/g, "_");
    return book.names.filter(([name, , , number]) => name.toLowerCase() === plain || String(number) === plain.replace(/^eq_?/, ""));
  }

  // What is seen.

  const put = (tag, parts, attributes = {}) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...parts);
    return node;
  };

  const marks = (text, question) => {
    const found = [...text.matchAll(/[\p{L}\p{M}_][\p{L}\p{M}\p{N}_-]*/gu)];
    return found.filter(([word]) => [...words(word), spelt(word.toLowerCase().replaceAll("-", ""))].some((own) => question.some((one) => own === one || (one.length > 2 && own.startsWith(one)))));
  };

  function marked(text, question) {
    let at = 0;
    const parts = marks(text, question).flatMap(({ 0: word, index }) => {
      const before = text.slice(at, index);
      at = index + word.length;
      return [before, put("mark", [word])];
    });
    return [...parts, text.slice(at)];
  }

  /** The piece of a text that holds most of the question. */
  function snippet(text, question) {
    const found = marks(text, question).map(({ index }) => index);
    const held = (from) => found.filter((at) => at >= from && at < from + LONG - AROUND).length;
    const start = found.reduce((best, at) => (held(at) > held(best) ? at : best), found[0] ?? 0);
    const from = start < AROUND ? 0 : text.indexOf(" ", start - AROUND) + 1;
    const piece = text.slice(from, from + LONG);
    const end = from + LONG < text.length ? piece.lastIndexOf(" ") : piece.length;
    return [from ? "… " : "", ...marked(piece.slice(0, end), question), end < piece.length ? " …" : ""];
  }

  /** The text of a page, fetched once. */
  function textOf(page) {
    if (!waiting.has(page)) {
      waiting.set(page, new Promise((resolve) => {
        texts.set(page, resolve);
        const folder = document.querySelector('script[src*="search.js"]').src.replace(/search\.js.*/, "search/");
        document.head.append(put("script", [], { src: `${folder}text-${page}.js` }));
      }));
    }
    return waiting.get(page);
  }

  const titleOf = (page) => book.sections[book.firsts.get(page)][2];

  function sectionItem({ place, page, question }) {
    const [, anchor, title] = book.sections[place];
    const first = book.firsts.get(page);
    const link = put("a", marked(title, question), { href: `${book.pages[page][0]}${place === first ? "" : `#${anchor}`}` });
    const lines = [link];
    if (place !== first) lines.push(put("span", [` in ${titleOf(page)}`], { className: "where" }));
    const text = put("p", []);
    textOf(page).then((own) => text.append(...snippet(own[place - first], question)));
    return put("li", [...lines, text]);
  }

  function nameItem([name, page, anchor, number, code]) {
    const formula = put("a", [`Formula (${number})`], { href: `${book.pages[page][0]}#${anchor}` });
    const source = put("a", [put("code", [name])], { href: code });
    return put("li", [formula, put("span", [" in ", titleOf(page), ", and its function "], { className: "where" }), source]);
  }

  function say(text, found, names) {
    const many = found.length + names.length;
    const more = many > SHOWN ? `; the first ${SHOWN} are shown` : "";
    return many ? `${many} place${many === 1 ? "" : "s"} for “${text}”${more}. Press one, or go through them with the arrow keys.` : `Nothing for “${text}”. Try one word, or its beginning.`;
  }

  function show() {
    if (!book) return;
    const text = field.value.trim();
    const address = new URL(location.href);
    address.search = text ? new URLSearchParams({ q: text }) : "";
    try {
      history.replaceState(null, "", address);
    } catch {
      // a folder's pages have no history in some browsers
    }
    const found = text ? sections(text) : [];
    const names = text ? named(text) : [];
    const best = found.slice(0, SHOWN - names.length).map(sectionItem);
    list.replaceChildren(...best.slice(0, 1), ...names.map(nameItem), ...best.slice(1));
    status.textContent = text ? say(text, found, names) : "";
  }

  function move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const stops = [field, ...list.querySelectorAll("li > a:first-child")];
    const now = stops.indexOf(document.activeElement);
    if (now < 0) return;
    event.preventDefault();
    stops[Math.min(Math.max(now + step, 0), stops.length - 1)].focus();
  }

  let pause;
  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(show, 120);
  });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
    list.querySelector("a")?.focus();
  });
  document.addEventListener("keydown", move);
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.focus();
  return { words, index: read, texts: (page, own) => texts.get(page)(own) };
})();
