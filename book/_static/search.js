/** The search page: ranks titles, names and words, forgives a slip, and shows results with the words marked; no request but for the texts of what is shown. */
"use strict";

const bookSearch = (() => {
  const SHOWN = 20;
  const PER_PAGE = 3; // sections of one page, so that no page fills the list
  const AROUND = 90; // letters shown before a word that was found
  const LONG = 260;
  const EVERYWHERE = /^(?:Exercises|Questions people ask|Read on|Shapes and cost|Model card)$/;
  const STEP = /^\d/; // the title of one of the ten steps
  const SMALL = new Set("a an and are as at be by can do does for from has have how i if in into is it its me my need not of on or so than that the their there these they this to was we were what when where which who why will with work works you your".split(" "));
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
  const asked = (text) => typed(text.toLowerCase()).map((word) => spelt(word.replaceAll("-", "")));
  const typed = (text) => text.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? [];

  /** A sentence without its small words. */
  function telling(text) {
    const own = typed(text);
    const kept = own.filter((word) => !SMALL.has(word.toLowerCase()));
    return kept.length ? kept : own;
  }

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
    book = { pages, sections, names, synonyms, index, all: [...index.keys()], asked: new Map() };
    book.others = new Set(synonyms.flat().flatMap(asked));
    const first = new Map();
    sections.forEach(([page], i) => first.has(page) || first.set(page, i));
    book.titles = sections.map(([, , title]) => withPairs(words(title)));
    book.shares = sections.map(([page, , title]) => (speaksOfAll(page) ? 0.3 : 1) * (EVERYWHERE.test(title) ? 0.6 : 1));
    book.firsts = first;
    book.steps = sections.map(([page, , title], i) => (first.get(page) === i && STEP.test(title) ? asked(title.split(":")[0]) : []));
    if (field.value) show();
  }

  function places(steps) {
    let place = 0;
    return steps.split(".").map((step) => {
      place += parseInt(step, 36);
      return [place, step.endsWith("+") ? 2 : 1];
    });
  }

  /** How well each section answers one word: in its text, its title, its page's title; a step goes before its side pages. */
  function forWord(word) {
    if (!book.asked.has(word)) book.asked.set(word, weigh(word));
    return book.asked.get(word);
  }

  function weigh(word) {
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
      if (inTitle[i]) found.set(i, (found.get(i) ?? 0) + inTitle[i] * (book.steps[i].includes(word) ? 25 : i === first ? 20 : 8));
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
    const short = telling(text).join(" ");
    const sayings = [[text, 1], ...(short === typed(text).join(" ") ? [] : [[short, 0.8]])];
    const asking = sayings.flatMap(([saying, share]) => meanings(saying).map((question, i) => [question, i ? share * 0.9 : share]));
    for (const [question, share] of asking) {
      for (const found of answer(question, share)) {
        if (!(best.get(found.place)?.score >= found.score)) best.set(found.place, { ...found, question });
      }
    }
    return inOrder([...best.values()]);
  }

  function inOrder(found) {
    const count = new Map();
    return found.sort((a, b) => b.score - a.score || a.place - b.place).filter(({ page }) => {
      count.set(page, (count.get(page) ?? 0) + 1);
      return count.get(page) <= PER_PAGE;
    });
  }

  // Where nothing has all that is asked.

  /** Whether so few slips make one word of another: a letter missing, too much, another, or two exchanged. */
  function slipped(a, b, slips) {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i += 1;
    const [x, y] = [a.slice(i), b.slice(i)];
    if (x === y) return true;
    if (Math.abs(x.length - y.length) > slips || !slips) return false;
    const on = (m, n) => slipped(x.slice(m), y.slice(n), slips - 1);
    return on(1, 0) || on(0, 1) || on(1, 1) || (x[0] === y[1] && x[1] === y[0] && on(2, 2));
  }

  /** The word that is meant: one slip away, in a long word two; of several, the one that is in most places. */
  function meant(word) {
    const [own] = asked(word);
    if (book.others.has(own) || forWord(own).size) return word;
    const near = (slips) => [...book.all, ...book.others].filter((one) => one.length > 3 && (own.length > 4 || one.length !== own.length || sorted(one) === sorted(own)) && slipped(own, one, slips));
    const found = own.length < 4 ? [] : near(1);
    if (!found.length && own.length > 9) found.push(...near(2).filter((one) => one[0] === own[0]));
    const best = found.sort((a, b) => forWord(b).size - forWord(a).size)[0];
    return best && best + (word.toLowerCase() === `${own}s` ? "s" : "");
  }

  const sorted = (word) => [...word].sort().join("");

  /** Sections of chapters that have most of the words. */
  function most(question) {
    const parts = question.map(forWord);
    const held = book.sections.flatMap(([page], place) => {
      const own = parts.filter((part) => part.has(place));
      const sum = own.reduce((total, part) => total + part.get(place), 0) / parts.length;
      return own.length && !speaksOfAll(page) ? [{ place, page, question, many: own.length, score: own.length * 100 + sum * book.shares[place] }] : [];
    });
    const enough = Math.min(Math.floor(parts.length / 2) + 1, Math.max(...held.map(({ many }) => many)));
    return inOrder(held.filter(({ many }) => many >= enough));
  }

  const speaksOfAll = (page) => book.pages[page][1];

  /** What is found; where that is nothing, what is found for the words that are meant; where no chapter has them all, for most of them. */
  function look(text) {
    const found = sections(text);
    const names = named(text);
    const kept = telling(text);
    if (names.length || found.some(({ page }) => !speaksOfAll(page)) || (found.length && kept.length < 3)) return { found, names };
    const instead = kept.map(meant).filter(Boolean).join(" ");
    const others = found.length ? [] : sections(instead);
    return others.length ? { found: others, names: named(instead), instead } : { found: [...found, ...most(asked(instead))], names, apart: true };
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

  function say(text, { found, names, instead, apart }) {
    const many = found.length + names.length;
    if (!many) return [`Nothing for “${text}”. Try one word, or its beginning.`];
    const all = `${many} place${many === 1 ? "" : "s"}`;
    const more = `${many > SHOWN ? `; the first ${SHOWN} are shown` : ""}. Press one, or go through them with the arrow keys.`;
    if (instead) return [`Nothing for “${text}”; shown: `, put("a", [`“${instead}”`], { href: `?${new URLSearchParams({ q: instead })}` }), `. ${all}${more}`];
    return [apart ? `No section has all of “${text}”. ${all} with some of its words${more}` : `${all} for “${text}”${more}`];
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
    const answers = text ? look(text) : { found: [], names: [] };
    const { found, names } = answers;
    const best = found.slice(0, SHOWN - names.length).map(sectionItem);
    list.replaceChildren(...best.slice(0, 1), ...names.map(nameItem), ...best.slice(1));
    status.replaceChildren(...(text ? say(text, answers) : []));
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
