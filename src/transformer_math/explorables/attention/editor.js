/** The chosen query's q and the chosen key's k as numbers to edit: one row of Q, and one of K. */
import { grouped, html, put, set, show } from "../kit.js";
import { short } from "./short.js";

const DIGITS = 5; // after the point, of the numbers that an edit takes over from the head: so a link can hold them all
const written = (x) => Number(x.toFixed(DIGITS));

/** A row of inputs that grows to the vector's length; what it refuses it says. */
function vectorRow(stage, matrix, letter, kind, current) {
  const caption = html("span", { class: kind });
  const fields = html("div", { class: "xp-fields", role: "group" });
  const problem = html("p", { class: "xp-problem", hidden: "" });
  const [inputs, values] = [[], []];
  const { low, high } = stage.bounds[matrix];
  const wanted = `wanted a number from ${grouped(low).replace("-", "−")} to ${grouped(high)}`;
  const edit = (c) => {
    const x = inputs[c].valueAsNumber;
    const fits = x >= low && x <= high;
    set(inputs[c], { "aria-invalid": !fits });
    problem.hidden = fits;
    if (!fits) return put(problem, `${letter}, dimension ${c}: ${wanted}; the old number still counts.`);
    const { at, rows } = current(matrix);
    const changed = rows.map((row) => row.map(written));
    changed[at][c] = values[c] = x;
    return stage.set({ [matrix]: changed });
  };
  const add = () => {
    const c = inputs.length;
    inputs.push(fields.appendChild(html("input", { type: "number", step: "any", min: low, max: high, oninput: () => edit(c) })));
  };
  const paint = (token, at, vector) => {
    put(caption, `${letter} of “${short(token)}”, row ${at} of ${matrix}`);
    set(fields, { "aria-label": caption.textContent });
    while (inputs.length < vector.length) add();
    show(inputs, vector.length);
    vector.forEach((x, c) => {
      set(inputs[c], { "aria-label": `${matrix}, row ${at}, dimension ${c}` });
      if (values[c] === x) return;
      values[c] = x;
      inputs[c].value = Number(x.toFixed(2));
      set(inputs[c], { "aria-invalid": false });
      problem.hidden = true;
    });
  };
  return { nodes: [html("p", {}, caption), fields, problem], paint };
}

export function editor(stage, current) {
  const at = { Q: "row", K: "column" };
  const rows = (matrix) => ({ at: current()[at[matrix]], rows: current()[matrix] });
  const q = vectorRow(stage, "Q", "q", "xp-query", rows);
  const k = vectorRow(stage, "K", "k", "xp-key", rows);
  const onclick = () => stage.set({ Q: [], K: [] });
  const reset = html("button", { type: "button", onclick }, "Back to the head’s own vectors");
  const summary = html("summary", {}, "Edit the query’s and the key’s numbers");
  const box = html("details", { "aria-label": summary.textContent }, summary, ...q.nodes, ...k.nodes, reset);
  const fill = () => {
    const { tokens, row, column, Q, K } = current();
    if (!box.open || tokens.length === 0) return;
    q.paint(tokens[row], row, Q[row]);
    k.paint(tokens[column], column, K[column]);
  };
  box.addEventListener("toggle", fill);
  const paint = (now) => {
    reset.disabled = !now.edited;
    fill();
  };
  return { box, paint };
}
