/** All formulas of the book, by what they define: so they call each other. */

import { define, isDefinition, target } from "./definitions.js";
import { fromLists } from "./values.js";

/** All formulas of the book, and the letters of the sizes that the function of each takes. What a formula defines in its first line counts before what another adds after it; such an aside serves its own page alone, unless it is a function. */
export function library(formulas, sizes) {
  const [heads, others, ofFunctions] = [new Map(), new Map(), new Map()];
  for (const [label, { statements, defines }] of formulas) {
    if (!defines) continue;
    statements.forward = forwardOf(label, formulas);
    statements.filter(isDefinition).forEach(({ parts }, place) => {
      const into = place === 0 ? heads : others;
      const found = target(parts[0], () => false);
      if (found?.kind === "function") ofFunctions.set(found.name, sizesOf(found, sizes.get(label)));
      for (const name of defined(found)) into.set(name, new Set([...(into.get(name) ?? []), label]));
    });
  }
  const isFunction = ([name]) => name.endsWith("()");
  const definers = new Map([...[...others].filter(isFunction), ...heads]);
  return { define, steps: Infinity, formulas, sizes: ofFunctions, definers, asides: others };
}

/** The statements of the function that a formula pulls back through: what they define is known there. */
export function forwardOf(label, formulas) {
  const forward = label.endsWith("-vjp") ? label.slice(0, -"-vjp".length) : undefined;
  return formulas.has(forward) ? { label: forward, statements: formulas.get(forward).statements } : undefined;
}

/** The letters of each argument; the gradient that a pullback takes, its last, has those of the value. */
function sizesOf({ pullback, parameters }, all = []) {
  const count = parameters.length;
  return pullback ? [...all.slice(0, -1).slice(0, count - 1), all.at(-1)] : all.slice(0, count);
}

/** What other formulas may use: functions, and things with indices. A plain name belongs to its own formula. */
function defined(found) {
  if (found?.kind === "function") return [`${found.name}()`];
  if (found?.kind === "several") return found.parts.flatMap(defined);
  return found?.kind === "indexed" ? [found.name] : [];
}

/** Values from outside: lists become arrays, { parameters: … } what a function with an index brings along. */
export function values(given) {
  const isParameters = (value) => Boolean(value?.parameters ?? value?.table);
  return bare(
    Object.entries(given).map(([name, value]) => {
      if (!isParameters(value)) return [name, fromLists(value)];
      if (value.table) return [`${name}()`, { name, table: value.table.map((row) => row.map(fromLists)) }];
      return [name, { parameters: values(value.parameters) }];
    }),
  );
}

/** An object that has these names and no other: not even `constructor`. */
export const bare = (entries) => Object.assign(Object.create(null), Object.fromEntries(entries));
