/** An explorable's state as the end of an address, `#position-rope?i=7`, and back; loaded when a reader copies or opens such a link. */

export const LONGEST = 1000; // characters of a text
const LONGEST_LIST = 2000; // of a list: sixteen rows of twelve numbers with five digits after the point

const alike = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// ---- to an address ----

const plain = (value) => (Array.isArray(value) ? JSON.stringify(value).slice(1, -1) : String(value));

/** What differs from the start, as a fragment; `left` names what is too long for one. `kinds` says which traits count. */
export function fragmentOf(id, kinds, start, get) {
  const moved = Object.keys(kinds).filter((name) => !alike(get(name), start[name]));
  const texts = moved.map((name) => [name, plain(get(name))]);
  const fits = ([name, text]) => text.length <= (kinds[name] === "list" ? LONGEST_LIST : LONGEST);
  const query = new URLSearchParams(texts.filter(fits)).toString().replaceAll("%2C", ",");
  return { fragment: `#${id}${query && `?${query}`}`, left: texts.filter((one) => !fits(one)).map(([name]) => name) };
}

// ---- from an address ----

/** The state that a query asks for, and the names of what in it cannot be. */
export function stateOf(query, kinds, start) {
  const asked = [...new URLSearchParams(query)];
  const known = asked.filter(([name]) => Object.hasOwn(kinds, name)).map(([name, text]) => [name, READERS[kinds[name]](text, start.bounds[name] ?? {}, start[name])]);
  const found = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  const below = Object.keys(found).filter((name) => found[name] > highest(start.bounds[name], { ...start, ...found }));
  for (const name of below) delete found[name];
  return { found, refused: [...new Set(asked.map(([name]) => name))].filter((name) => !Object.hasOwn(found, name)) };
}

/** A number may have to stay below a part of another one. */
const highest = (bounds, state) => (bounds?.below ? Math.floor(state[bounds.below[0]] / bounds.below[1]) - 1 : Infinity);

const inside = (x, { low = -Infinity, high = Infinity }) => Number.isFinite(x) && x >= low && x <= high;

const READERS = {
  number(text, bounds) {
    const x = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : NaN;
    return inside(x, bounds) && (!bounds.step || (x - bounds.low) % bounds.step === 0) ? x : undefined;
  },
  switch: (text) => ({ true: true, false: false })[text],
  text: (text, { labels }) => (text.length <= LONGEST && (!labels || Object.hasOwn(labels, text)) ? text : undefined),
  list(text, bounds, start) {
    const list = text.length <= LONGEST_LIST ? parsed(`[${text}]`) : undefined;
    return list && fitting(list, bounds, start) ? list : undefined;
  },
};

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a list is one of numbers within bounds or of words, and of the form that it has at the start. */
function fitting(list, bounds, start) {
  const entries = list.flat();
  const sort = typeof (start.flat()[0] ?? entries[0]);
  const known = entries.every((x) => typeof x === sort && (sort === "string" || inside(x, bounds)));
  const lengths = list.map((row) => (Array.isArray(row) ? row.length : -1));
  const isEven = lengths.every((length) => length === lengths[0] && length !== 0);
  const isFixed = start.length > 0 && ("low" in bounds || Array.isArray(start[0]));
  const isWhole = !bounds.permuted || new Set(list).size === list.length;
  return known && isEven && isWhole && (!isFixed || (list.length === start.length && lengths[0] === (start[0].length ?? -1)));
}
