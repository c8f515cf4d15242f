/** Exercises that answer in the page: fields, choices, guesses. Answers stand in it hashed and veiled, as `plots/hidden.py` leaves them. */
"use strict";

(() => {
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const encoder = new TextEncoder();

  function hash(words) {
    let value = 0x811c9dc5;
    for (const byte of encoder.encode(words)) value = Math.imul(value ^ byte, 0x01000193);
    value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
    return (value ^ (value >>> 13)) >>> 0;
  }

  function unveil(hidden, words) {
    let state = hash(`${words}|veil`);
    const bytes = Uint8Array.from(atob(hidden), (c) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return c.charCodeAt(0) ^ (state >>> 24);
    });
    return new TextDecoder().decode(bytes);
  }

  /** What the page says to an answer in one of its forms, or nothing. */
  function replyTo({ salt, replies }, forms) {
    for (const form of forms) {
      const words = `${salt}|${form}`;
      const hidden = replies[hash(words).toString(16).padStart(8, "0")];
      if (hidden) return unveil(hidden, words);
    }
  }

  // What is remembered, by the exercise's label.

  const KEY = "exercise:";

  function recall(label) {
    try {
      return JSON.parse(localStorage.getItem(KEY + label)) ?? { given: {} };
    } catch {
      return { given: {} };
    }
  }

  /** Keep what was done in an exercise, and tell the page when that is all; false where a page may not remember. */
  function keep(label, state, before) {
    let kept = true;
    try {
      localStorage.setItem(KEY + label, JSON.stringify(state));
    } catch {
      kept = false;
    }
    if (Boolean(state.done) !== Boolean(before)) document.dispatchEvent(new CustomEvent("exercise:done", { detail: { exercise: label, done: state.done } }));
    return kept;
  }

  function remember(label, index, given, count) {
    const state = recall(label);
    const before = state.done;
    state.given[index] = given;
    state.done = Object.keys(state.given).length >= count;
    keep(label, state, before);
  }

  const VERDICTS = { "+": ["right", "Right. "], "-": ["wrong", "No. "], "~": ["almost", "Rounded too far: give more digits. "] };

  /** The reader of what is typed is loaded with the first answer. */
  const own = document.currentScript.src;
  let reader;
  const readTyped = () =>
    (reader ??= new Promise((onload) => document.head.append(make("script", { src: own.replace("questions.js", "typed_answers.js"), onload }))));

  /** The line that says the verdict, and is read out when it changes. */
  function says() {
    const line = make("p", { className: "question-says", role: "status" });
    const say = (name, html, lead = "") => {
      line.className = `question-says ${name}`;
      line.replaceChildren(make("b", { textContent: lead }), make("span", { innerHTML: html }));
      if (name !== "almost") line.dispatchEvent(new Event("answered", { bubbles: true }));
    };
    return { line, say };
  }

  async function check(question, text, say) {
    if (!text.trim()) return say("almost", "The field is empty.");
    await readTyped();
    let forms;
    try {
      forms = typedAnswers.forms(text, question);
    } catch (error) {
      return say("almost", make("i", { textContent: `${error.message}.` }).innerHTML, "I cannot read this: ");
    }
    return tell(replyTo(question, forms) ?? "-", say);
  }

  function tell(reply, say) {
    const [name, lead] = VERDICTS[reply[0]];
    say(name, reply.slice(1), lead);
    return name === "right";
  }

  const WANTED = {
    number: () => "a number, like 1/3",
    numbers: ({ count }) => `${count} numbers, with commas`,
    words: () => "words, with spaces",
    formula: ({ letters }) => `a formula in ${letters.join(", ")}`,
  };

  /** A field, a button, a verdict. */
  function field(question, title, done) {
    const { line, say } = says();
    const input = make("input", { type: "text", autocomplete: "off", spellcheck: false, autocapitalize: "off", placeholder: WANTED[question.kind](question) });
    input.setAttribute("aria-labelledby", title.id);
    const form = make("form", {}, input, make("button", { type: "submit", textContent: "Check" }));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await check(question, input.value, say)) done(input.value);
    });
    const restore = (given) => {
      input.value = given;
      check(question, given, say);
    };
    return { nodes: [form, line], restore };
  }

  /** The options as buttons of a group; `answered` says what comes after one was chosen. */
  function options(list, title, button, answered) {
    const name = title.id;
    const radios = [...list.children].map((item, i) => {
      const radio = make("input", { type: "radio", name, value: i });
      item.replaceChildren(make("label", {}, radio, make("span", { innerHTML: item.innerHTML })));
      return radio;
    });
    const group = make("div", { role: "radiogroup" }, list);
    group.setAttribute("aria-labelledby", title.id);
    const form = make("form", {}, group, make("button", { type: "submit", textContent: button }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answered(radios.findIndex((radio) => radio.checked));
    });
    return { form, radios };
  }

  function choice(question, title, done, list) {
    const { line, say } = says();
    const answer = (i) => {
      if (i < 0) return say("almost", "Choose one first.");
      if (tell(replyTo(question, [i]), say)) done(i);
    };
    const { form, radios } = options(list, title, "Check", answer);
    return { nodes: [form, line], restore: (i) => ((radios[i].checked = true), answer(i)) };
  }

  /** A choice that is made once: what was expected and what happens, beside each other. */
  function prediction(question, title, done, list) {
    const { line, say } = says();
    const answer = (i) => {
      if (i < 0) return say("almost", "Choose what you expect first.");
      const reply = replyTo(question, [i]);
      const [of, truth] = reply.slice(1).split("\n");
      radios.forEach((radio) => (radio.disabled = true));
      form.querySelector("button").remove();
      radios[i].closest("li").classList.add("expected", reply[0] === "+" ? "right" : "wrong");
      if (reply[0] === "+") say("right", of, "As you expected. ");
      else say("wrong", `${of} What happens: ${truth}`, "Not what you expected. ");
      done(i);
    };
    const { form, radios } = options(list, title, "This is what I expect", answer);
    return { nodes: [form, line], restore: (i) => ((radios[i].checked = true), answer(i)) };
  }

  const short = (value) => String(Number(value.toPrecision(4))).replace("-", "−");

  /** A slider, and after the guess both numbers on one scale. */
  function estimate(question, title, done) {
    const { line, say } = says();
    const [min, max, step] = question.range;
    const unit = question.unit && `\u00a0${question.unit}`;
    const slider = make("input", { type: "range", min, max, step, value: (min + max) / 2 });
    slider.setAttribute("aria-labelledby", title.id);
    const value = make("output", {});
    const read = () => {
      value.textContent = short(Number(slider.value)) + unit;
      slider.setAttribute("aria-valuetext", value.textContent);
    };
    slider.addEventListener("input", read);
    read();
    const form = make("form", {}, make("span", {}, slider), value, make("button", { type: "submit", textContent: "This is my guess" }));
    const reveal = (guess) => {
      const [truth, written, because] = JSON.parse(replyTo(question, ["result"]));
      slider.value = guess;
      read();
      slider.disabled = true;
      form.querySelector("button")?.remove();
      const markOf = (name, x, text) => {
        const mark = make("span", { className: name, textContent: text });
        mark.style.left = `${(100 * (x - min)) / (max - min)}%`;
        mark.classList.toggle("from-right", x > (min + max) / 2);
        return mark;
      };
      slider.parentElement.replaceChildren(slider, make("div", { className: "question-scale", ariaHidden: "true" }, markOf("guess", guess, `you: ${short(guess)}`), markOf("truth", truth, `computed: ${written}`)));
      const close = Math.abs(guess - truth) <= (max - min) / 20;
      say(close ? "right" : "wrong", `You said ${short(guess)}${unit}; it is ${written}${unit}. ${because}`, short(guess) === written ? "Exactly. " : close ? "Close. " : guess < truth ? "It is more. " : "It is less. ");
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const guess = Number(slider.value);
      reveal(guess);
      done(guess);
    });
    return { nodes: [form, line], restore: reveal };
  }

  const sketch = (question, title, done) => sketchQuestion(question, title, done, { make, says, replyTo });
  const KINDS = { choice, prediction, estimate, sketch };
  const OPENS = ".prediction, .estimate, .sketch";

  /** What stands behind an exercise, before the next one begins. */
  function behind(exercise) {
    const next = exercise.nextElementSibling;
    return !next || next.matches(".exercise") ? [] : [next, ...behind(next)];
  }

  /** A solution that waits until the reader has said what they expect. */
  function hold(exercise, asked) {
    const solution = behind(exercise).find((node) => node.matches("details.solution"));
    if (!solution) return () => {};
    const summary = solution.querySelector("summary");
    const note = make("span", { className: "question-waits", textContent: " (opens when you have said what you expect)" });
    summary.append(note);
    const refuse = (event) => {
      event.preventDefault();
      asked[0].querySelector("input, [tabindex]").focus();
    };
    summary.addEventListener("click", refuse);
    return () => {
      summary.removeEventListener("click", refuse);
      note.remove();
    };
  }

  function bring(exercise) {
    const asked = [...exercise.querySelectorAll(".question")];
    const label = exercise.id;
    const state = recall(label);
    const first = asked.filter((node) => node.matches(OPENS));
    const open = first.length ? hold(exercise, first) : () => {};
    asked.forEach((node, i) => {
      const title = node.querySelector("p");
      const question = { ...JSON.parse(node.dataset.question), text: title.innerText };
      title.id = `${label}-${i}`;
      const done = (given) => {
        remember(label, i, given, asked.length);
        node.classList.add("done");
        if (first.every((one) => one.matches(".done"))) open();
      };
      const { nodes, restore } = (KINDS[question.kind] ?? field)(question, title, done, node.querySelector("ul"));
      node.append(...nodes);
      if (!(i in state.given)) return;
      try {
        restore(state.given[i]);
        done(state.given[i]);
      } catch {
        // it was given to another question than this one has become
      }
    });
  }

  /** What a grader said of a faulty function shows after an answer, or a few words where nothing is asked. */
  function holdVerdict(exercise) {
    for (const node of behind(exercise)) {
      const verdict = !node.matches("details") && node.querySelector(".grade.wrong")?.closest(".cell_output");
      if (!verdict) continue;
      verdict.hidden = true;
      (exercise.querySelector(".question") ? awaitAnswer : awaitWords)(exercise, verdict);
    }
  }

  function awaitAnswer(exercise, verdict) {
    const note = make("p", { className: "question-waits", textContent: "The verdict of the checks opens when you have answered." });
    verdict.before(note);
    exercise.addEventListener("answered", () => {
      note.remove();
      verdict.hidden = false;
    });
  }

  function awaitWords(exercise, verdict) {
    const id = `${exercise.id}-attempt`;
    const title = make("div", { id, role: "status", textContent: "Before the checks speak: what will go wrong, and for which input?" });
    const input = make("input", { type: "text", autocomplete: "off", required: true });
    input.setAttribute("aria-labelledby", id);
    const form = make("form", { className: "by-hand" }, title, input, make("button", { type: "submit", textContent: "See what the checks say" }));
    verdict.before(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      title.textContent = `You said: ${input.value.trim()}. The checks:`;
      form.replaceChildren(title);
      verdict.hidden = false;
    });
  }

  /** An exercise without a field is answered in the notebook; whether it is done only the reader knows. */
  function markByHand(exercise) {
    const [note, button] = [make("span"), make("button", { type: "button" })];
    const { line, say } = says();
    const paint = (done) => {
      exercise.classList.toggle("done", done);
      note.textContent = done ? "You did this one in Python, in the notebook." : "You answer this one in Python, in the notebook. Is it right there?";
      button.textContent = done ? "Not done after all" : "Mark as done";
    };
    button.addEventListener("click", () => {
      const before = recall(exercise.id).done;
      if (!keep(exercise.id, { given: {}, done: !before }, before)) return say("almost", "Your browser keeps nothing just now; a private window may be the reason.");
      paint(!before);
      say("right", "", before ? "" : "Done. ");
    });
    paint(Boolean(recall(exercise.id).done));
    exercise.append(make("div", { className: "by-hand" }, note, button, line));
  }

  const start = () => {
    document.querySelectorAll(".exercise").forEach(holdVerdict);
    document.querySelectorAll(".exercise:not(:has(.question))").forEach(markByHand);
    document.querySelectorAll(".exercise:has(.question)").forEach(bring);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
