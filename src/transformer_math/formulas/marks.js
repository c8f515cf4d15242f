/** The symbols of a formula: found in KaTeX's tree, named by the notation, and marked in what KaTeX typesets. */

import { enclose } from "./enclosing.js";
import { KEYWORDS, WORDS, key, tokens } from "./reader.js";
import { partRows } from "./rows.js";

const SIGNS = new Set(["/", "|", ".", "!", "\\varvdots", "\\infty", "\\partial", "\\prime", "\\nabla", "\\top", "\\|", "\\Vert"]);
const OPERATORS = new Set(["\\sum", "\\prod", "\\cap", "\\cup"]);
const HTML = '<span class="katex-html"';

/**
 * The names that a cell of the notation gives, as keys: `exact`, and `general` where its index or layer stands for any.
 * A cell that computes (j − i) names nothing; what stands in the brackets of a function is no name either.
 */
export function keysOf(katex, tex) {
  const tree = katex.__parse(tex);
  if (tree.some(({ type, family }) => type === "atom" && ["bin", "rel"].includes(family))) return [];
  const finder = new Finder([]);
  finder.list(tree);
  const isFunction = finder.missing.some(({ isCalled }) => isCalled);
  return finder.missing.slice(0, isFunction ? 1 : undefined).map(({ token, isCalled }) => {
    const sub = !token.sub ? "" : token.sub.every(isIndex) ? "_[]" : `_${key(token.sub)}`;
    const general = token.base + marksOf(token) + (isLayer(token) ? "^()" : above(token)) + sub;
    return { exact: forms(token, isCalled)[0].key, general: isCalled ? undefined : general };
  });
}

const isIndex = ({ k, word }) => k === "punct" || (k === "sym" && !word);

/**
 * Typeset a formula with its symbols and some of its parts marked: `data-s` holds the place of each in `symbols`, which says in
 * reading order (a part after the symbols in it) how it is read aloud and, of a symbol, by which name it is known and what the
 * lexicon answers to that name. `missing` are those that it does not know. MathML stays as it is.
 */
export function typeset(katex, tex, lexicon, parts = []) {
  const options = { displayMode: true, strict: "error", throwOnError: true };
  const finder = new Finder(lexicon);
  const plain = katex.renderToString(tex, options);
  let all = [];
  defineSwitch(katex, (nodes) => {
    partRows(nodes);
    finder.list(nodes);
    all = numbered([...finder.found, ...enclose(nodes, parts, SWITCH.length)]);
  });
  const marked = katex.renderToString(`${SWITCH}${tex}}`, options);
  return {
    html: plain.slice(0, plain.indexOf(HTML)) + marked.slice(marked.indexOf(HTML)),
    symbols: all.map(({ token, name, answer, place, part }) => ({ aloud: token && spoken(token), name, answer, place, part })),
    missing: finder.missing.map(({ token, isWord }) => ({ key: key([{ ...token, sup: undefined }]), isWord })),
  };
}

const SWITCH = "\\symbols{";

/** Symbols as they were found, each part after the last symbol in it; their numbers go into the page. */
function numbered(found) {
  const symbols = found.filter(({ token }) => token);
  const last = ({ place: [from, to] }) => symbols.findLastIndex(({ place }) => from <= place[0] && place[1] <= to);
  const size = ({ place: [from, to] }) => to - from;
  for (const one of found) one.place = one.place.map((at) => at - SWITCH.length);
  const order = new Map(found.map((one) => [one, one.token ? symbols.indexOf(one) : last(one) + 0.5]));
  const all = found.filter((one) => order.get(one) >= 0).sort((a, b) => order.get(a) - order.get(b) || size(a) - size(b));
  all.forEach(({ attributes }, place) => (attributes["data-s"] = String(place)));
  return all;
}

/** `\symbols{…}` typesets its argument after `change`; a node without a colour leaves no trace of its own. */
function defineSwitch(katex, change) {
  const handler = ({ parser }, [{ body }]) => {
    change(body);
    return { type: "color", mode: parser.mode, color: undefined, body };
  };
  katex.__defineFunction({ type: "color", names: ["\\symbols"], props: { numArgs: 1 }, handler });
}

const SYMBOLS = new Set(["mathord", "textord", "font", "text", "operatorname", "op"]);

/**
 * Walks through a tree, and wraps each symbol that the lexicon knows. A lexicon is a list of objects, the nearest
 * first: what a page says itself, what the notation says for its group, and so on.
 */
class Finder {
  constructor(lexicon) {
    this.lexicon = lexicon;
    this.found = [];
    this.missing = [];
    this.inLabel = false;
  }

  /** The parts of a node, one after another. */
  inside(node) {
    for (const [name, part] of Object.entries(node)) {
      if (name === "loc") continue;
      if (Array.isArray(part)) this.list(part);
      else if (part?.type) node[name] = this.one(part);
    }
  }

  /** Nodes side by side: a word of several letters is one symbol; what an opening bracket follows may be a function. */
  list(nodes) {
    for (let i = 0; i < nodes.length; i += 1) {
      if (Array.isArray(nodes[i])) this.list(nodes[i]);
      else if (nodes[i]?.type) {
        const length = wordAt(nodes, i);
        const made = this.several(nodes.slice(i, i + length), opens(nodes[i + length]));
        nodes.splice(i, length, ...made);
        i += made.length - 1;
      }
    }
  }

  one(node) {
    const made = this.several([node], false);
    return made[0];
  }

  several(nodes, isCalled) {
    const [first] = nodes;
    const nucleus = first.type === "supsub" ? first.base : first;
    if (nodes.length === 1 && !isSymbol(nucleus)) return this.others(first);
    if (nucleus.type === "text" && this.inLabel) return nodes;
    const token = named(tokens(nodes).at(-1), nucleus);
    const { name, answer, rest } = lookUp(forms(token, isCalled), this.lexicon) ?? { rest: [] };
    const list = name === undefined ? this.missing : this.found;
    const attributes = { "data-s": "" };
    list.push({ token, isCalled, isWord: nucleus.type === "text", name, answer, attributes, place: token.place ?? [0, 0] }); // a bare \max has no place
    this.scriptsOf(nodes, rest);
    return name === undefined ? nodes : [{ type: "html", mode: "math", attributes, body: nodes }];
  }

  /** What is no symbol itself may hold some; the words in the label of a brace explain themselves. */
  others(node) {
    if (node.type === "text") return [node];
    const [outer, isLabel] = [this.inLabel, node.type === "supsub" && node.base?.type === "horizBrace"];
    if (isLabel) {
      node.base = this.one(node.base);
      this.inLabel = true;
      this.scriptsOf([node], ["sup", "sub"]);
    } else this.inside(node);
    this.inLabel = outer;
    return [node];
  }

  /** The scripts that are no part of the name hold symbols of their own. */
  scriptsOf(nodes, names) {
    const last = nodes.at(-1);
    for (const name of names) if (last[name]) last[name] = this.one(last[name]);
    return nodes;
  }
}

function isSymbol(node) {
  if (!node || !SYMBOLS.has(node.type)) return false;
  if (node.type === "textord") return !/^[\d]$/.test(node.text) && !SIGNS.has(node.text);
  if (node.type === "op") return !OPERATORS.has(node.name);
  if (node.type === "text") {
    const [token] = node.font === "\\text" ? tokens([node]) : [{}];
    return token.k === "sym" && !KEYWORDS.has(token.base) && /^\S+$/.test(token.base);
  }
  return true;
}

/** How many nodes from here are one name: three for pos. */
function wordAt(nodes, at) {
  const nucleus = (node, isLast) => (node?.type === "supsub" && isLast ? node.base : node)?.text;
  const word = WORDS.find((one) => [...one].every((letter, j) => nucleus(nodes[at + j], j === one.length - 1) === letter));
  return word ? word.length : 1;
}

const opens = (node) => node?.text === "(" || (node?.type === "leftright" && node.left === "(") || (node?.type === "delimsizing" && node.delim === "(");

// ---- names ----

/** A token with the name that the notation knows it by: an upright i is not the index. */
const named = (token, { font }) => ({ ...token, base: `${font === "mathrm" ? "upright:" : ""}${token.base ?? token.name}` });

const marksOf = ({ marks }) => marks ?? "";
const isTop = ({ base }) => base === "top";
const above = ({ sup }) => (sup?.some((part) => !isTop(part)) ? `^${key(sup.filter((part) => !isTop(part)))}` : "");
/** The Q of W^Q belongs to the name: W is not raised to the power of Q. */
const isName = (sup) => sup?.some((part) => !isTop(part)) && sup.every((part) => isTop(part) || part.word || /^[A-Z]$/.test(part.base ?? ""));
const isLayer = ({ sup }) => sup?.length === 1 && sup[0].k === "group";

/**
 * The keys under which a symbol may be known, the most telling first, and which of its scripts are no part of that name.
 * Those that are `whole` are looked for everywhere before the others are.
 */
function forms(token, isCalled) {
  const own = token.base + marksOf(token);
  const sub = token.sub ? `_${key(token.sub)}` : "";
  const any = token.sub ? "_[]" : "";
  const sup = above(token);
  const raised = sup ? ["sup"] : [];
  const indexed = sub ? ["sub"] : [];
  const both = [...raised, ...indexed];
  const called = [[`${own + sup + sub}()`, []], [`${own + sup}()`, indexed], [`${own}()`, both]];
  const whole = [...(isCalled ? called : []), [own + sup + sub, []]];
  const parts = [[own + sup + any, indexed], [own + sup, indexed]];
  if (!isName(token.sup)) parts.push([own + sub, raised], [own + any, both], [own, both]);
  if (isLayer(token)) parts.splice(1, 0, [`${own}^()`, both]);
  const written = (isWhole) => ([name, rest]) => ({ key: name, rest, isWhole });
  return [...whole.map(written(true)), ...parts.map(written(false))];
}

/** The first of these keys that the lexicon has. */
function lookUp(found, lexicon) {
  const known = (names, { key: name, rest }) => (name in names ? [{ name, rest, answer: names[name] }] : []);
  const [whole, parts] = [true, false].map((isWhole) => found.filter((one) => one.isWhole === isWhole));
  const [first] = [...whole.flatMap((one) => lexicon.flatMap((names) => known(names, one))), ...lexicon.flatMap((names) => parts.flatMap((one) => known(names, one)))];
  return first;
}

/** A symbol as it is read aloud: W superscript Q sub h. */
function spoken(token) {
  const aloud = (parts) => parts.filter(({ k }) => k !== "punct").map(one).join(" ");
  const one = (part) => {
    const name = (part.base ?? part.s ?? part.name ?? aloud(part.inside ?? [])).replace(/^\w+:|\\/g, "");
    const capital = /^[A-Z]$/.test(name) ? `capital ${name}` : name;
    const bars = (part.marks ?? "").replaceAll("'", " prime");
    return [capital + bars, part.sup && `superscript ${aloud(part.sup)}`, part.sub && `sub ${aloud(part.sub)}`].filter(Boolean).join(" ");
  };
  return one(token);
}
