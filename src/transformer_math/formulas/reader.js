/** Reads a formula: KaTeX's parse tree in, statements out. What a symbol means is decided later, by the runner. */

/** A formula that cannot be read or run, in words; `place` is where in its LaTeX, from and to, if that is known. */
export class FormulaError extends Error {
  constructor(message, place) {
    super(message);
    this.place = place;
  }
}

/** A formula that would run without an end, or for too long: there is no other way to evaluate it, so nobody tries one. */
export class Endless extends FormulaError {}

/** A sum or product without an index. KaTeX does not say where it stands, so its name is kept. */
export class WithoutIndex extends FormulaError {
  constructor(operator) {
    super(`a ${operator === "prod" ? "product" : operator} needs an index below it`);
    this.operator = operator;
  }
}

/** A name that nothing explains, as it was written. */
export class UnknownName extends FormulaError {
  constructor(message, name, place) {
    super(message, place);
    this.unknown = name;
  }
}

export const KEYWORDS = new Set(["so", "that is", "where", "and", "with", "for"]);
const CASES = new Set(["if", "otherwise", "else"]);
export const WORDS = ["pos"]; // names of several letters that LaTeX sets letter by letter
const CLOSING = { "|": "|", "‖": "‖", "(": ")", "[": "]", "\\{": "\\}", "\\langle": "\\rangle", "\\lvert": "\\rvert", "\\lVert": "\\rVert" };
const VALUES_BETWEEN = { "|": 1, "‖": 1, "\\lvert": 1, "\\lVert": 1, "\\langle": 2 };
const BETWEEN = { "|": "abs", "‖": "norm", "\\lvert": "abs", "\\lVert": "norm" };
const BARS = { "|": "|", "\\vert": "|", "\\|": "‖", "\\Vert": "‖" }; // they open and close
const RELATIONS = new Set(["=", "\\in", "\\leftarrow", "\\approx", "<", ">", "\\le", "\\leq", "\\ge", "\\geq", "\\neq", "\\propto", "\\sim"]);

/**
 * The statements of a formula without a label: it says that two sides are equal, and defines no function.
 */
export function readIdentity(katex, tex) {
  const isCall = ({ t }) => t === "call" || t === "apply";
  return read(katex, tex).map((statement) =>
    statement.kind === "chain" ? { ...statement, parts: statement.parts.map((part) => (isCall(part) ? { t: "paren", x: part } : part)) } : statement,
  );
}

/** The statements of a formula, each a chain of expressions with relations between them, or the range of an index. */
export function read(katex, tex) {
  if (!tex.trim()) throw new FormulaError("the formula is empty", [0, tex.length]);
  if (tex.length > LONGEST) throw new FormulaError(`the formula has ${tex.length} characters; ${LONGEST} are read at most`, [LONGEST, tex.length]);
  return whole(() => statements(parsed(katex, tex)));
}

const LONGEST = 10_000;

/** KaTeX's tree. What its own parser stumbles over without a word of its own is said here. */
function parsed(katex, tex) {
  try {
    return katex.__parse(tex, { displayMode: true, strict: "error" });
  } catch (error) {
    if (error.name === "ParseError" || error instanceof RangeError) throw error;
    throw new FormulaError("KaTeX cannot read this: a command or a space stands where a name is wanted");
  }
}

/** Do it; what is nested so deeply that the computer's stack ends is an error of the formula. */
export function whole(work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? new FormulaError("it is nested too deeply, or defined by itself") : error;
  }
}

// ---- from KaTeX's nodes to tokens ----

const letters = (nodes) =>
  nodes.map(({ text, body }) => (typeof text === "string" ? text : letters([body ?? []].flat()))).join("");
const name = (text) => text.replace(/^\\/, "");

const READERS = {
  mathord: (node) => [{ k: "sym", base: name(node.text) }],
  textord: (node) => [textord(node.text)],
  atom: (node) => [atom(node)],
  spacing: (node) => (/quad/.test(node.text) ? [{ k: "gap" }] : []),
  kern: (node) => (node.dimension.unit === "em" && node.dimension.number >= 1 ? [{ k: "gap" }] : []),
  ordgroup: (node) => tokens(node.body),
  styling: (node) => tokens(node.body),
  color: (node) => tokens(node.body),
  mclass: (node) => tokens(node.body),
  horizBrace: (node) => tokens([node.base]),
  text: (node) => [text(letters(node.body).replace(/\u00a0/g, " ").trim())],
  font: (node) => [{ k: "sym", base: fontName(node), word: node.font === "mathrm" }],
  op: (node) => [{ k: "op", name: name(node.name ?? letters(node.body)) }],
  operatorname: (node) => [{ k: "fn", name: letters(node.body) }],
  genfrac: (node) => [genfrac(node)],
  sqrt: (node) => [{ k: "sqrt", body: inner([node.body]), degree: node.index && inner([node.index]) }],
  overline: (node) => [{ k: "over", body: inner([node.body]) }],
  delimsizing: ({ delim }) => [delim === "/" ? textord(delim) : BARS[delim] ? { s: BARS[delim] } : { k: CLOSING[delim] ? "open" : "close", s: delim }],
  leftright: (node) => [{ place: placeOf(node), ...leftright(node) }],
  array: (node) => rows(node),
  supsub: (node) => scripted(node),
  rule: () => [],
  htmlmathml: (node) => [negated(node)],
};

/** KaTeX draws ≠ as two signs, and says to MathML which one is meant. */
function negated(node) {
  if (letters(node.mathml) === "≠") return { k: "rel", s: "\\neq" };
  throw new FormulaError(`“${letters(node.mathml)}” is no sign that this book computes`, placeOf(node));
}

const KINDS = { cr: "line break at this place", accent: "accent over a letter", phantom: "invisible part", enclose: "box", sizing: "change of size", lap: "overlapping parts", underline: "line below a letter" };

export function tokens(nodes) {
  const found = nodes.flatMap((node) => {
    const reader = READERS[node.type];
    if (!reader) throw new FormulaError(`this book's formulas have no ${KINDS[node.type] ?? `“${node.type}”`}`, placeOf(node));
    const place = placeOf(node);
    return reader(node).map((token) => ({ place, ...token }));
  });
  return joinGradients(spelled(joinWords(joinDigits(found))));
}

/** Tokens of a part that holds its brackets whole. */
const inner = (nodes) => brackets(tokens(nodes));

function textord(s) {
  if (/^[\d.]$/.test(s)) return { k: "digit", s };
  if (s === "/") return { k: "bin", s };
  if (BARS[s]) return { s: BARS[s] };
  if (s === "\\varvdots") return { k: "dots" };
  return { k: "sym", base: name(s) };
}

function genfrac(node) {
  if (!node.hasBarLine) throw new FormulaError("this book computes no binomial coefficients, and a fraction has a line", placeOf(node));
  return { k: "frac", over: inner([node.numer]), under: inner([node.denom]) };
}

/** Where a node stands in the LaTeX: its own place, or the stretch that its parts cover. */
export function placeOf(node) {
  if (!node || typeof node !== "object") return undefined;
  if (node.loc) return [node.loc.start, node.loc.end];
  return union(Object.values(node).map((part) => (Array.isArray(part) ? union(part.map(placeOf)) : placeOf(part))));
}

const placeOfAll = (found) => union(found.map(({ place }) => place));

/** Do it; an error that does not know its place gets this one. */
export function located(work, place) {
  try {
    return work();
  } catch (error) {
    if (error instanceof FormulaError) error.place ??= place();
    throw error;
  }
}

function union(places) {
  const known = places.filter(Boolean);
  return known.length ? [Math.min(...known.map(([from]) => from)), Math.max(...known.map(([, to]) => to))] : undefined;
}

function atom({ family, text: s }) {
  if (family === "inner") return { k: s === "\\ddots" ? "ddots" : "dots" };
  if (s === "\\gg") return { k: "bin", s };
  return { k: family, s };
}

/** Words between formulas, a case’s “if” and “otherwise”, or a name. A condition in words is not computed, and is not left out either. */
function text(s) {
  if (KEYWORDS.has(s) || CASES.has(s)) return { k: "text", s };
  if (/^(if|otherwise|else)\b/.test(s)) throw new FormulaError(`“${s}” is not computed: in words stands “if” alone, and the condition behind it as a formula`);
  return { k: "sym", base: s, word: true };
}

function fontName({ font, body }) {
  const word = letters([body].flat());
  return font === "mathrm" || font === "mathit" ? word : `${font}:${word}`;
}

function leftright({ left, right, body }) {
  const isArray = body.length === 1 && body[0].type === "array" && body[0].colSeparationType === undefined;
  const cells = () => body[0].body.map((row) => row.map((cell) => inner([cell])));
  if (isArray && left === "\\{" && right === ".") return { k: "cases", rows: cells() };
  const open = BARS[left] ?? left;
  if ((BARS[right] ?? right) !== CLOSING[open]) throw new FormulaError(`“${name(left)}” and “${name(right)}” are no brackets that this book computes`);
  if (!isArray) return { k: "group", open, inside: inner(body) };
  if (!"([".includes(open)) throw new FormulaError(`a matrix stands in round or square brackets, not between “${name(left)}” and “${name(right)}”`);
  return { k: "matrix", rows: cells() };
}

/** An aligned system: its rows after one another; a cell that holds words alone explains, and is left out. */
function rows(node) {
  if (node.colSeparationType === undefined) {
    throw new FormulaError("a matrix stands in brackets", placeOf(node));
  }
  const lines = node.body.map((row) => {
    const cells = row.map((cell) => tokens([cell]));
    return cells.filter((cell, i) => i < 2 || cell.some((token) => token.k !== "sym" || token.base.length < 3)).flat();
  });
  return lines.flatMap((line, i) => (i ? [{ k: "row" }, ...line] : line));
}

function scripted({ base, sup, sub }) {
  if (base?.type === "horizBrace") return tokens([base]);
  const own = base ? tokens([base]) : [];
  const last = own.at(-1);
  if (!last) throw new FormulaError("an exponent or index stands after nothing", placeOf(sup ?? sub));
  if ((last.sup && sup) || (last.sub && sub)) throw new FormulaError("a second exponent or index: brackets say what it belongs to", placeOf(sup ?? sub));
  const above = sup ? inner([sup]) : [];
  const primes = above.filter((token) => token.base === "prime").length;
  const rest = above.filter((token) => token.base !== "prime");
  const marks = (last.marks ?? "") + "'".repeat(primes);
  const scripts = { marks, sup: rest.length ? rest : last.sup, sub: sub ? inner([sub]) : last.sub };
  const place = union([last.place, placeOf(sup), placeOf(sub)]);
  return [...own.slice(0, -1), { ...last, ...scripts, place }];
}

function joinDigits(found) {
  const out = [];
  for (const [i, token] of found.entries()) {
    const isDigit = token.k === "digit" || token.k === "num";
    const last = out.at(-1);
    const isInNumber = [last, found[i + 1]].some((one) => /^\d/.test(one?.s ?? ""));
    if (token.s === "." && !isInNumber) continue; // the end of a sentence
    if (isDigit && last?.k === "num" && !last.sup && !last.sub) out.splice(-1, 1, { ...token, k: "num", s: last.s + token.s });
    else out.push(isDigit ? { ...token, k: "num" } : token);
  }
  return out;
}

function joinWords(found) {
  const out = [...found];
  for (const word of WORDS) {
    for (let i = 0; i + word.length <= out.length; i += 1) {
      const run = out.slice(i, i + word.length);
      const plain = run.slice(0, -1).every((token) => !token.sup && !token.sub);
      if (plain && run.every((token, j) => token.k === "sym" && token.base === word[j])) {
        out.splice(i, word.length, { ...run.at(-1), base: word, place: placeOfAll(run) });
      }
    }
  }
  return out;
}

/** Letters before a bracket (sqrt(…), softmax(…)) are a product; where one of them has no value, a name was meant. */
function spelled(found) {
  const out = [];
  let word = [];
  for (const token of found) {
    if (token.k === "open" && word.length >= 3) out.splice(-word.length, word.length, ...word.map((letter) => ({ ...letter, spells: nameOf(word) })));
    word = token.k === "sym" && !token.word && !token.sup && !token.sub && /^[a-z]$/i.test(token.base) ? [...word, token] : [];
    out.push(token);
  }
  return out;
}

function nameOf(word) {
  const own = word.map(({ base }) => base).join("");
  const written = own === "sqrt" ? "\\sqrt{…}" : FUNCTIONS.has(own) ? `\\${own}` : `\\operatorname{${own}}`;
  return { own, written, place: placeOfAll(word) };
}

/** An upright d and the name after it are one name: the gradient of a loss with respect to what has that name. */
function joinGradients(found) {
  const isGradient = ({ k, base, word, sup, sub }) => k === "sym" && base === "d" && word && !sup && !sub;
  return found.flatMap((token, i) => {
    if (isGradient(token) && found[i + 1]?.k === "sym") return [];
    const before = i > 0 && token.k === "sym" ? found[i - 1] : undefined;
    return before && isGradient(before) ? [{ ...token, base: `d${token.base}`, place: union([before.place, token.place]) }] : [token];
  });
}

// ---- brackets ----

/** Put what stands between two brackets into one token; the scripts of the closing one are the group's. */
function brackets(found) {
  const stack = [{ inside: [] }];
  for (const bare of found) {
    const token = bar(bare, stack.at(-1).open);
    if (token.k === "open") stack.push({ open: token.s, place: token.place, inside: [] });
    else if (token.k === "close") {
      const { open, place, inside } = stack.pop();
      if (!stack.length || CLOSING[open] !== token.s) {
        throw new FormulaError(`a closing “${name(token.s)}” has no partner`, token.place);
      }
      stack.at(-1).inside.push({ k: "group", place: union([place, token.place]), open, inside, sup: token.sup, sub: token.sub, marks: token.marks });
    } else if (token.k !== "row" || stack.length === 1) {
      stack.at(-1).inside.push(token);
    }
  }
  if (stack.length > 1) throw new FormulaError(`an opening “${name(stack.at(-1).open)}” has no partner`, stack.at(-1).place);
  return stack[0].inside;
}

/** A bar opens, or closes what a bar has opened. */
const bar = (token, opened) => (CLOSING[token.s] === token.s && token.s ? { ...token, k: opened === token.s ? "close" : "open" } : token);

function split(found, isBorder) {
  const parts = [[]];
  for (const token of found) {
    if (isBorder(token)) parts.push([]);
    else parts.at(-1).push(token);
  }
  return parts;
}

const isComma = (token) => token.k === "punct" && token.s === ",";

// ---- statements ----

function statements(nodes) {
  const all = brackets(tokens(nodes)).filter((token) => !(token.k === "punct" && token.s !== "," && token.s !== ":"));
  const joined = all.filter((token, i) => token.k !== "row" || !continues(all[i + 1]));
  const isBorder = (token) => token.k === "row" || token.k === "gap" || (token.k === "text" && KEYWORDS.has(token.s));
  return split(joined, isBorder).flatMap(clauses);
}

const continues = (token) => token !== undefined && (token.k === "bin" || token.k === "rel");

/** The clauses between two gaps: `i = 0, 1, …, n` is one, the range of an index; other commas separate. */
function clauses(found) {
  const parts = split(found, isComma).filter((part) => part.length);
  if (parts.length === 1 && parts[0].length === 1 && parts[0][0].k === "group" && parts[0][0].open === "(") {
    return clauses(parts[0][0].inside); // (d = d_model): a remark in brackets
  }
  const dots = parts.findIndex((part) => part.length === 1 && part[0].k === "dots");
  if (dots < 0) return ofOneDomain(parts.map(chain));
  const first = chain(parts[0]);
  if (first.relations.length !== 1 || first.relations[0] !== "=") throw new FormulaError("“…” stands where no range begins", parts[dots][0].place);
  if (!parts[dots + 1]) throw new FormulaError("“…” needs a last member after it", parts[dots][0].place);
  const range = { kind: "range", names: first.parts.slice(0, 1), from: first.parts[1], to: expression(parts[dots + 1]) };
  return [range, ...ofOneDomain(parts.slice(dots + 2).map(chain))];
}

/** X, P ∈ …: the domain is that of each. */
function ofOneDomain(chains) {
  const last = chains.at(-1);
  const domain = last?.relations.at(-1) === "\\in" ? last.parts.at(-1) : undefined;
  return chains.map((one) =>
    domain && one.relations.length === 0 ? { ...one, parts: [one.parts[0], domain], relations: ["\\in"] } : one,
  );
}

function chain(found) {
  const parts = [[]];
  const relations = [];
  for (const token of found) {
    if (token.k === "rel") {
      if (!RELATIONS.has(token.s)) throw new FormulaError(`“${name(token.s)}” is no relation that this book computes`, token.place);
      relations.push(token.s);
      parts.push([]);
    } else parts.at(-1).push(token);
  }
  const place = placeOfAll(found);
  return located(() => ({ kind: "chain", place, parts: parts.map(expression), relations }), () => place);
}

// ---- expressions ----

function expression(found) {
  const parser = new Parser(found);
  const result = parser.sum();
  parser.end();
  return result;
}

/** What stands in brackets, part by part; a semicolon parts like a comma: f^*(x; dy). */
const items = (found) => split(found, (token) => token.k === "punct" && ",;".includes(token.s)).map((part) => comparison(part));

/** An expression in which relations are questions: 0 < j ≤ i. */
function comparison(found) {
  const relations = found.filter(isRelation).map(({ s }) => s);
  const parts = split(found, isRelation).map(expression);
  return relations.length ? { t: "compare", relations, parts } : parts[0];
}

const isRelation = (token) => token.k === "rel";

/** The indices that a subscript holds: i j without an operator are two, 2i + 1 is one. */
function indices(found) {
  const parts = split(found, isComma);
  const apart = parts.length === 1 && found.length > 1 && found.every((token) => token.k === "sym" && !token.sup);
  if (parts.some((part) => !part.length)) throw new FormulaError("an index is empty", placeOfAll(found));
  return (apart ? found.map((token) => [token]) : parts).map((part) => ({ key: key(part), word: part.every(({ word }) => word), expr: once(() => comparison(part)) }));
}

/** A name as text: how the runner finds it. */
export function key(found) {
  return found
    .map((token) => {
      const own = token.base ?? token.s ?? token.name ?? (token.k === "dots" ? "…" : undefined) ?? `(${key(token.inside ?? [])})`;
      return own + (token.marks ?? "") + (token.sup ? `^${key(token.sup)}` : "") + (token.sub ? `_${key(token.sub)}` : "");
    })
    .join("");
}

const FUNCTIONS = new Set(["cos", "sin", "tan", "tanh", "exp", "log", "ln", "max", "min"]);
const STOPS = new Set(["bin", "rel", "punct", "text", "dots"]);
const FOLDS = new Set(["sum", "prod", "max"]); // over an index below them; max without one is a function
const CHOICES = new Set(["argmax", "argmin"]); // of an index below them, or several

class Parser {
  constructor(found) {
    this.found = found;
    this.at = 0;
  }

  peek() {
    return this.found[this.at];
  }

  take() {
    this.at += 1;
    return this.found[this.at - 1];
  }

  end() {
    const token = this.peek();
    if (token) throw new FormulaError(`“${key([token])}” stands where nothing is expected`, token.place);
  }

  /** What `parse` reads, with the place where it stands. */
  placed(parse) {
    const from = this.at;
    const here = () => placeOfAll(this.found.slice(from, this.at));
    const node = located(parse, here);
    return { place: here(), ...node };
  }

  sum() {
    return this.placed(() => this.terms());
  }

  terms() {
    const terms = [];
    let sign = this.sign();
    do {
      terms.push({ sign, x: this.placed(() => this.product()) });
      sign = this.sign();
    } while (sign);
    return terms.length === 1 && terms[0].sign !== -1 ? terms[0].x : { t: "add", terms };
  }

  /** +1 or −1 where a sign stands (or at the beginning), else undefined. */
  sign() {
    const token = this.peek();
    const first = this.at === 0;
    if (token?.k === "bin" && (token.s === "+" || token.s === "-")) {
      this.take();
      return token.s === "+" ? 1 : -1;
    }
    return first ? 1 : undefined;
  }

  /** Factors side by side belong together before ·, ⊙ and × join them; / takes the next factor alone. */
  product() {
    let result = this.sideBySide(this.factor());
    for (let token = this.peek(); token?.k === "bin" && token.s !== "+" && token.s !== "-"; token = this.peek()) {
      this.take();
      const b = token.s === "/" ? this.factor() : this.sideBySide(this.factor());
      result = { t: "times", operator: token.s, a: result, b };
      if (token.s === "/") result = this.sideBySide(result);
    }
    return result;
  }

  sideBySide(first) {
    let result = first;
    for (let token = this.peek(); token && !STOPS.has(token.k); token = this.peek()) {
      result = { t: "times", operator: "", a: result, b: this.factor() };
    }
    return result;
  }

  factor() {
    return this.placed(() => this.oneFactor());
  }

  oneFactor() {
    const token = this.take();
    if (!token) throw new FormulaError("something is missing at the end, or after an operator", this.found.at(-1)?.place);
    if (token.k === "bin" && token.s === "-") return { t: "add", terms: [{ sign: -1, x: this.factor() }] };
    if (token.k === "op" && FOLDS.has(token.name) && (token.sub || !FUNCTIONS.has(token.name))) return this.bigSum(token);
    if (token.k === "op" && !FUNCTIONS.has(token.name)) throw new FormulaError(`“${token.name}” is no operator that this book computes`, token.place);
    if (CHOICES.has(token.name) && token.sub) return this.choice(token);
    if (token.k === "op" || token.k === "fn") return this.call(token);
    const next = this.peek();
    if (token.k === "sym" && next?.k === "group" && next.open === "(") {
      this.take();
      return { t: "apply", f: simple(token), args: items(next.inside), behind: (x) => scripts(x, next) };
    }
    return simple(token);
  }

  /** f(x, y), f x, with scripts on f or after the brackets. */
  call(token) {
    const next = this.peek();
    const pullback = token.sup !== undefined && key(token.sup) === "*"; // f^*: what pulls a gradient back through f
    const raised = (x) => (pullback ? x : power(x, token)); // tanh² u is the square of tanh u
    if (next?.k === "group" && next.open === "[") return raised(this.quantity(token));
    const head = { t: "call", name: token.name, sub: token.sub && indices(token.sub), pullback, key: key([token]) };
    if (next?.k === "group" && next.open === "(") {
      this.take();
      return raised(scripts({ ...head, args: items(next.inside) }, next));
    }
    if (!next || next.k === "bin" || next.k === "rel") return raised(head); // a name, not a call
    return raised({ ...head, args: [this.argument()] });
  }

  /** Var[q · k]: the name of a quantity. */
  quantity(token) {
    const { inside } = this.take();
    return { t: "quantity", name: `${token.name}[${key(inside)}]` };
  }

  /** The product behind a function without brackets: cos k ω_i. */
  argument() {
    let result = this.factor();
    for (let token = this.peek(); token && ["sym", "num", "group", "frac", "sqrt"].includes(token.k); token = this.peek()) {
      result = { t: "times", operator: "", a: result, b: this.factor() };
    }
    return result;
  }

  /** argmax over j: of all values of an index (or of some in a set, or under a condition) the first with the largest. */
  choice(token) {
    const [own, condition] = besideColon(token.sub);
    const [letters, domain, ...more] = split(own, (part) => part.k === "rel" && part.s === "\\in");
    if (more.length || !letters.length) throw new FormulaError(`below ${token.name} stands no index`, token.place);
    return {
      t: "choice",
      largest: token.name === "argmax",
      letters: split(letters, isComma).map(key),
      domain: domain && expression(domain),
      condition: condition && comparison(condition),
      body: this.product(),
    };
  }

  bigSum(token) {
    if (!token.sub) throw new WithoutIndex(token.name);
    const [own, condition] = besideColon(token.sub);
    const equals = own.findIndex((part) => part.k === "rel" && part.s === "=");
    const index = key(equals < 0 ? own : own.slice(0, equals));
    return {
      t: "sum",
      fold: token.name,
      index,
      from: equals < 0 ? undefined : expression(own.slice(equals + 1)),
      to: token.sup && expression(token.sup),
      condition: condition && comparison(condition),
      body: this.product(),
    };
  }
}

/** The index below a sum, and the condition after its colon. */
function besideColon(found) {
  const colon = found.findIndex((part) => part.s === ":");
  return colon < 0 ? [found] : [found.slice(0, colon), found.slice(colon + 1)];
}

function simple(token) {
  switch (token.k) {
    case "num":
      return scripts({ t: "num", value: Number(token.s) }, token);
    case "sym":
      return { t: "sym", base: token.base, word: token.word, spells: token.spells, marks: token.marks ?? "", sup: token.sup, sub: token.sub, indices: token.sub && indices(token.sub), power: superscript(token.sup) };
    case "group":
      return scripts(inBrackets(token), euclidean(token));
    case "frac":
      return fraction(token);
    case "sqrt":
      return scripts(root(token), token);
    case "matrix":
      return scripts({ t: "matrix", rows: token.rows.map((row) => row.map(cell)) }, token);
    case "cases":
      return scripts({ t: "cases", rows: token.rows.map((row) => oneCase(row, token.place)) }, token);
    case "dots":
      return { t: "dots" };
    default:
      throw new FormulaError(`“${key([token])}” stands where a value is expected`, token.place);
  }
}

/** ‖x‖_2 is ‖x‖. */
const euclidean = (token) => (BETWEEN[token.open] === "norm" && token.sub && key(token.sub) === "2" ? { ...token, sub: undefined } : token);

function inBrackets({ open, inside }) {
  const inner = items(inside);
  const wanted = VALUES_BETWEEN[open] ?? inner.length;
  if (inner.length !== wanted) throw new FormulaError(`between ${open} and ${CLOSING[open]} ${wanted === 1 ? "stands one value" : "stand two values, with a comma between them"}, not ${inner.length}`);
  if (BETWEEN[open]) return { t: BETWEEN[open], x: inner[0] };
  if (open === "\\langle") return { t: "inner", items: inner };
  return inner.length === 1 ? { t: "paren", x: inner[0] } : { t: "tuple", items: inner };
}

function oneCase([value, when = [], ...more], place) {
  if (more.length) throw new FormulaError("a row of cases holds a value and a condition, no more", place);
  const bare = value.at(-1)?.k === "punct" ? value.slice(0, -1) : value; // 1, & if …
  return { value: comparison(bare), when: condition(when) };
}

function fraction(token) {
  const { over, under, place } = token;
  if (over[0]?.base === "partial" && (over.length !== 2 || under.length !== 2)) throw new FormulaError("a quotient of ∂ is one name over another", place);
  if (over[0]?.base === "partial") return { t: "partial", of: simple(over[1]), by: simple(under[1]) };
  return scripts({ t: "times", operator: "/", a: expression(over), b: expression(under) }, token);
}

/** A square root, or the root of another degree. */
function root({ body, degree }) {
  if (!degree) return { t: "sqrt", x: expression(body) };
  const exponent = { t: "times", operator: "/", a: { t: "num", value: 1 }, b: expression(degree) };
  return { t: "power", x: expression(body), exponent };
}

const cell = (found) => (found.length === 0 ? undefined : found[0].k.endsWith("dots") ? { t: "dots" } : expression(found));

const condition = (found) => {
  const rest = found.filter((token) => token.k !== "text");
  return rest.length ? comparison(rest) : undefined;
};

function scripts(x, token) {
  if (token.marks) throw new FormulaError("a prime stands after what has no name of its own", token.place);
  return power(token.sub ? { t: "index", x, indices: indices(token.sub) } : x, token);
}

function power(x, token) {
  if (!token.sup) return x;
  const { exponent, transposed } = superscript(token.sup);
  const raised = exponent ? { t: "power", x, exponent: exponent() } : x;
  return transposed ? { t: "transpose", x: raised } : raised;
}

/** What a superscript asks for beyond being part of a name: a power, a transpose. */
function superscript(found) {
  if (!found) return { transposed: false };
  const transposed = found.at(-1).base === "top";
  const rest = transposed ? found.slice(0, -1) : found;
  return { transposed, key: rest.length ? key(rest) : undefined, exponent: rest.length ? once(() => expression(rest)) : undefined };
}

/** What is read when somebody first asks is read once. */
function once(read) {
  let found;
  return () => (found ??= read());
}
