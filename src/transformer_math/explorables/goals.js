/** Challenges under an explorable, each ticked when the state first meets it. */
import { html, put, set } from "./kit.js";

/** `wanted` lists [words, met(now)]; `paint(now)` ticks what is met and returns how many are, in words. */
export function goals(wanted) {
  const entries = wanted.map(([words, met]) => {
    const mark = html("b", { "aria-hidden": "true" }, "○");
    const done = html("span", { class: "xp-hidden" });
    return { met, mark, done, reached: false, node: html("li", {}, mark, html("span", {}, words), done) };
  });
  const node = html("div", { class: "xp-goals", style: `--tasks: ${entries.length}` }, html("p", { class: "xp-caption" }, "Can you …"), html("ul", {}, ...entries.map((entry) => entry.node)));
  node.hidden = entries.length === 0;
  const paint = (now) => {
    for (const entry of entries) {
      if (entry.reached || !entry.met(now)) continue;
      entry.reached = true;
      put(entry.mark, "✓");
      put(entry.done, " (done)");
      set(entry.node, { class: "xp-met" });
    }
    const count = entries.filter(({ reached }) => reached).length;
    return count ? ` Tasks done: ${count} of ${entries.length}.` : "";
  };
  return { node, paint };
}

/** The same as the last part of a figure: where there is room, its sentence stands beside them. */
export function goalsBeside(stage, wanted) {
  stage.root.classList.add("xp-footed");
  return goals(wanted);
}

/** The same; in one column, too, the sentence comes first. */
export function goalsLast(stage, wanted) {
  stage.root.classList.add("xp-goals-last");
  return goalsBeside(stage, wanted);
}
