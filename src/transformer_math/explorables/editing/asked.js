/** What a printed formula asks of whoever writes it anew. */
import { isDefinition, target } from "../../formulas/definitions.js";
import { library } from "../../formulas/library.js";
import { family } from "../../formulas/names.js";
import { key, read } from "../../formulas/reader.js";
import { leftOf } from "./lines.js";

const never = () => false;
const defines = (statement) => isDefinition(statement) || (statement.kind === "chain" && statement.relations[0] === "\\approx");
/** The statements that define something, each with what it is. */
export const heads = (statements) => statements.filter(defines).map((statement) => ({ ...statement, found: target(statement.parts[0], never) }));
const isFunction = ({ found }) => found?.kind === "function" && !found.local;
const isNamed = (part, name) => part.t === "sym" && key([part]) === name;

/**
 * What the formula of a label asks, where `name` is wanted: `left`, the LaTeX up to the sign after it; `names` under which
 * the value may go; `own`, the functions that the formula defines; `ranges`, how far its indices run; `body`, what stands on
 * the right, and `bodies`, that of every line.
 */
export function asked(katex, formulas, label, name) {
  const { tex, page } = formulas[label];
  const statements = read(katex, tex);
  const all = heads(statements);
  const aim = aimed(all, name);
  if (!aim?.found || aim.found.kind === "several") return undefined; // an identity: either side is an answer; or several at once
  return {
    left: leftOf(tex, (aim.beside ?? aim.parts[0]).place[0]),
    names: [...new Set([name, ...(aim.found && !isFunction(aim) ? [aim.found.name] : []), "result"])],
    page,
    body: whole(aim.beside ? aim.parts[aim.parts.indexOf(aim.beside) + 1] : aim.parts[1], all),
    bodies: all.map(({ parts, relations }) => parts.slice(1).filter((_, i) => relations[i] !== "\\in")),
    own: all.filter(isFunction).map(({ found }) => found.name),
    forward: forwardOf(katex, formulas, label),
    ranges: statements.filter(({ kind }) => kind === "range"),
  };
}

/** What stands for a name that another line defines. */
const whole = (body, all) => all.find(({ found }) => body.t === "sym" && found?.kind === "name" && found.name === key([body]))?.parts[1] ?? body;

/** What the formula of a function defines is known where its pullback is written. */
function forwardOf(katex, formulas, label) {
  const forward = label.endsWith("-vjp") ? label.slice(0, -"-vjp".length) : undefined;
  return formulas[forward] && { label: forward, statements: read(katex, formulas[forward].tex) };
}

/** The statement that says what `name` is; where a function is O = …, O is it. */
function aimed(all, name) {
  if (name === "result") return all.find(isFunction) ?? all[0];
  const own = all.find(({ found, parts }) => found?.name === name || found?.name === family(name) || isNamed(parts[0], name));
  if (own) return own;
  const other = all.find(({ parts }) => parts.slice(1, -1).some((part) => isNamed(part, name)));
  return other && { ...other, beside: other.parts.find((part) => isNamed(part, name)) };
}

/** All formulas of the book but one: who is to write it cannot call it. */
export const without = (book, formulas, label) =>
  library(new Map([...book.formulas].filter(([other]) => other !== label)), new Map(Object.entries(formulas).map(([other, { sizes }]) => [other, sizes])));
