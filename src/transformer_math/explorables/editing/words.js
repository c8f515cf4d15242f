/** What the explorable of formulas says: numbers as a reader writes them, and why a formula could not be run. */
import { fixed, raised } from "../kit.js";
import { lonelyBracket } from "./brackets.js";
import { didYouMean } from "./guess.js";

/** A difference: two decimals or three, and powers of ten where it is small or large. */
export function amount(x) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "no number" : x > 0 ? "∞" : "−∞";
  if (Math.abs(x) >= 0.01 && Math.abs(x) < 1000) return fixed(x, Math.abs(x) < 0.1 ? 3 : 2);
  const power = Math.floor(Math.log10(Math.abs(x)));
  return `${fixed(x / 10 ** power, 1)} · 10${raised(power)}`;
}

// KaTeX's messages, in the words of this book.
const TRANSLATED = [
  [/(\d+ columns? meets? \d+ rows?)/, "$1; perhaps a ⊤ is missing, or stands at the other factor"],
  [/Expected '\}', got 'EOF'|Unexpected end of input in a macro argument.*/, "a “{” is not closed"],
  [/Expected 'EOF', got '\}'|^Extra \}$/, "a “}” closes nothing"],
  [/Expected '\\right', got/, "a \\left has no \\right"],
  [/Expected 'EOF', got '\\right'/, "a \\right has no \\left"],
  [/Expected '\\end', got|Expected & or \\\\ or \\cr or \\end/, "an environment has a \\begin and no \\end"],
  [/Expected '\}', got '([^']+)'/, "a “{” is not closed before $1"],
  [/.*% comment has no terminating newline.*/, "“%” begins a remark in LaTeX, and nothing after it counts"],
  [/Expected 'EOF', got '&'/, "a “&” stands outside of the rows that it divides"],
  [/Expected 'EOF', got '([^']+)'/, "$1 stands where nothing is expected"],
  [/Expected '([^']+)', got '([^']+)'/, "$1 is wanted, and $2 stands there"],
  [/Mismatch: \\begin\{([^}]*)\} matched by \\end\{([^}]*)\}/, "\\begin{$1} is closed by \\end{$2}"],
  [/No such environment: (.*)/, "KaTeX knows no environment “$1”"],
  [/Got function '([^']+)' with no arguments as ([^]*)/, "$1 cannot stand alone as $2"],
  [/Can't use function '\$' in math mode/, "a “$” has no place inside a formula"],
  [/Can't use function '([^']+)' in \w+ mode/, "$1 has no place here"],
  [/Undefined control sequence: (\\(?:softmax|attention|LayerNorm|FFN|erf|gelu|relu|argmax|Concat))\b.*/, "$1 is no command of LaTeX: the name of a function is written \\operatorname{…}"],
  [/Undefined control sequence: (\S+)/, "$1 is no command that KaTeX knows"],
  [/Expected group (?:after|as argument to) '([^']+)'/, "something is missing after $1"],
  [/Double (super|sub)script/, "two $1scripts stand at one place; braces hold them together"],
  [/Invalid size: '([^']*)'.*/, "after \\\\ a “[” asks for a distance; braces, {[}, keep it a bracket"],
  [/Invalid delimiter.*/, "a bracket is wanted after \\left and \\right"],
  [/.*(?:unicodeTextInMathMode|unknownSymbol).*/, "this sign is no LaTeX; commands such as \\sqrt, \\cdot and \\top are"],
];

/** Why a formula could not be read or run, and where: from and to in its LaTeX, brackets whole. `known` are names that could be meant. */
export function explained(error, tex, known = { symbols: [], functions: [] }) {
  const message = (error.rawMessage ?? error.message).replace(/^KaTeX parse error: /, "").replace(/ at (position \d+|end of input)[^]*$/, "");
  const translated = TRANSLATED.find(([pattern]) => pattern.test(message));
  const words = translated ? message.match(translated[0])[0].replace(translated[0], translated[1]) : message;
  const place = withoutIndex(tex, error.operator) ?? error.place ?? (error.position === undefined ? undefined : [error.position, error.position + Math.max(1, error.length ?? 1)]);
  const lonely = /has no partner|is not closed|closes nothing/.test(words) ? lonelyBracket(tex) : undefined;
  if (lonely) return { words: `At “${aroundBracket(tex, lonely)}”: ${ofBracket(lonely)}.`, place: [lonely.at, lonely.at + 1] };
  const [from, to] = whole(tex, place ?? [0, tex.length]);
  const only = unansweredIndex(words, tex);
  const here = shortened(tex.slice(from, to).replace(/\s+/g, " ").trim());
  const where = place === undefined ? "" : here === "" || from >= tex.length ? "At the end: " : `At “${here}”: `;
  const says = where ? words : words.replace(/^(?:the|it)\b/, (word) => word[0].toUpperCase() + word.slice(1));
  return { words: `${where}${shortened(says, 200)}${only}.${didYouMean({ ...error, place }, tex, known)}`, place: [from, to] };
}

/** softmax(x)_j = e^x: the left side asks for one entry, and the right side is silent about which. */
function unansweredIndex(words, tex) {
  const letter = /how far the index ([A-Za-z]) runs/.exec(words)?.[1];
  const [left, ...right] = tex.split("=");
  const has = (text) => new RegExp(`(?<![\\\\A-Za-z])${letter}(?![A-Za-z])`).test(text);
  return letter && right.length && has(left) && !has(right.join("=")) ? `, which stands on the left and nowhere on the right; perhaps a _${letter} is missing` : "";
}

const ofBracket = ({ sign }) => {
  if (sign === "{") return "this “{” is not closed";
  if (sign === "}") return "this “}” closes nothing";
  return sign === "(" ? "this opening “(” has no partner" : "this closing “)” has no partner";
};

const BEFORE = /(?:\\?[A-Za-z]+\*?)?(?:\{[A-Za-z]*\})?$/; // \operatorname{softmax} of its bracket

/** A bracket that opens with a little of what stands around it; one that closes with what stands before it. */
function aroundBracket(tex, { sign, at }) {
  const before = tex.slice(0, at);
  const stretch = "({".includes(sign) ? BEFORE.exec(before)[0] + tex.slice(at, at + 20) : tex.slice(Math.max(0, at - 24), at + 1);
  return stretch.replace(/\s+/g, " ").trim();
}

const shortened = (text, most = 48) => (text.length > most ? `${text.slice(0, most - 18)} … ${text.slice(-12)}` : text);

/** Where a sum or product stands that has no index below it. */
function withoutIndex(tex, operator) {
  if (!operator) return undefined;
  const all = [...tex.matchAll(new RegExp(`\\\\${operator}(?![A-Za-z])`, "g"))].map(({ index, 0: command }) => [index, index + command.length]);
  const index = /^\s*(\\(no)?limits)?\s*(\^\s*(\{[^{}]*\}|\\?\w+))?\s*_/;
  return all.find(([, to]) => !index.test(tex.slice(to)));
}

/** Widen a stretch so that its braces match, and by the command before and the \right after it: \sqrt{…}, \sum_{…}. */
function whole(tex, place) {
  let [from, to] = place.map((at) => Math.min(at, tex.length));
  let [open, lowest] = [0, 0];
  for (const sign of tex.slice(from, to)) {
    open += step(sign);
    lowest = Math.min(lowest, open);
  }
  for (let missing = open - lowest; missing > 0 && to < tex.length; to += 1) missing += step(tex[to]);
  for (let missing = -lowest; missing > 0 && from > 0; from -= 1) missing -= step(tex[from - 1]);
  const command = /\\[A-Za-z]+[_^]?$/.exec(tex.slice(0, from));
  if (command && tex[from] === "{") from = command.index;
  const inside = tex.slice(from, to);
  const right = /^\s*\\right\s*(?:\\[A-Za-z]+|\\?.)/.exec(tex.slice(to));
  return [from, right && inside.split("\\left").length > inside.split("\\right").length ? to + right[0].length : to];
}

const step = (sign) => (sign === "{" ? 1 : sign === "}" ? -1 : 0);
