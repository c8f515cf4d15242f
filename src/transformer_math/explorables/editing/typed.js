/** What readers type for what LaTeX writes: `softmax(QK^T/sqrt(d_k))V`, `\softmax`, `exp(x)`, `2*x`. */

export const COMMANDS = "exp log ln max min sin cos tan tanh sum cdot odot frac sqrt top".split(" ");
export const GREEK = "alpha beta gamma delta epsilon varepsilon eta theta kappa lambda mu nu xi pi rho sigma tau phi varphi omega".split(" ");
const CAPITALS = "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(" ");
const SUBSCRIPTS = ["model", "ff", "in", "out", "max", "min"]; // words that stand below a letter

/** The functions of the book, by the formulas that name them. */
export const functionNames = (formulas) => [...new Set(Object.values(formulas).flatMap(({ tex }) => [...tex.matchAll(/\\operatorname\*?\{([A-Za-z]+)\}/g)].map(([, name]) => name)))];

/** The place after the bracket that closes the one at `from`, or −1. */
function behindBracket(text, from) {
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") open += 1;
    if (text[at] === ")") open -= 1;
    if (open === 0) return at + 1;
  }
  return -1;
}

/** \sqrt(…) as \sqrt{…}, and x^(…) as x^{…}, from the inside out. */
function braced(text) {
  const opening = /^[^]*(?:\\sqrt|\^)(?=\()/.exec(text)?.[0];
  const [from, end] = opening ? [opening.length, behindBracket(text, opening.length)] : [0, -1];
  return end < 0 ? text : braced(`${opening}{${text.slice(from + 1, end - 1)}}${text.slice(end)}`);
}

/** Python's E[t] as E_t, from the inside out; a bracket with a relation is one that asks, [j ≤ i], and stays. */
function indexed(text) {
  const found = text.replace(/(?<![\\A-Za-z])([A-Za-z])\[((?:(?!\\(?:[lg]eq?|[lg]t|neq?|in)(?![A-Za-z]))[^[\]<>=])+)\]/g, "$1_{$2}");
  return found === text ? text : indexed(found);
}

/** Equations below each other, by \\\\ or on lines of their own, as rows. */
function inLines(text) {
  if (text.includes("\\begin")) return text;
  const lines = text.split(/\\\\|\n/).filter((line) => line.trim());
  const isSystem = lines.length > 1 && lines.every((line) => line.includes("="));
  return isSystem ? `\\begin{gathered} ${lines.map((line) => line.trim()).join(" \\\\ ")} \\end{gathered}` : text;
}

/** In the order of GREEK. */
const LETTERS = "αβγδϵεηθκλμνξπρστϕφω";
const SIGNS = { "@": " ", "≤": "\\le ", "<=": "\\le ", "≥": "\\ge ", ">=": "\\ge ", "≠": "\\neq ", "!=": "\\neq ", "∞": "\\infty ", "∈": "\\in ", ℒ: "\\mathcal{L}", "−": "-", µ: "\\mu ", Φ: "\\Phi ", Π: "\\Pi ", Σ: "\\Sigma ", Ω: "\\Omega ", Δ: "\\Delta ", Γ: "\\Gamma " };
const FORMS = [["epsilon", "varepsilon"], ["varepsilon", "epsilon"], ["phi", "varphi"], ["varphi", "phi"]];

/** 1 where a condition holds, its brackets or its place as others have them: 𝟙(v = t), 1_{v = t}. */
const ASKS = /(?:\\math(?:bb|bf)\s*\{?1\}?\s*(?:\(|_\{)|(?<![\w.\\}])1_\{)([^(){}]*(?:[=<>]|\\(?:[lg]eq?|neq?|in)(?![A-Za-z]))[^(){}]*)[)}]/g;

const small = (before) => (run) => `${before}{${run.normalize("NFKC")}}`;

/** What keys of other alphabets write, small letters, Python's signs and log2, as LaTeX. */
function signed(text) {
  return text
    .replace(/[⁰-ⁿ¹²³ˣ]+/g, small("^"))
    .replace(/[₀-ₜᵢ-ᵥⱼ]+/g, small("_"))
    .replace(/\b(?:np|torch)\.(?=[a-z])/g, "")
    .replace(/\.T(?![A-Za-z])/g, "^\\top ")
    .replace(/\*\*/g, "^")
    .replace(/\^(\d*[.\d]\d+)/g, "^{$1}")
    .replace(/\\?arg\s*\\(max|min)(?![A-Za-z])/g, "\\arg$1")
    .replace(new RegExp(`[${LETTERS}]`, "g"), (letter) => `\\${GREEK[LETTERS.indexOf(letter)]} `)
    .replace(new RegExp(Object.keys(SIGNS).join("|"), "g"), (sign) => SIGNS[sign])
    .replace(/\^\s*\{\s*⊤\s*\}|\^?\s*⊤/g, "^\\top ")
    .replace(/‖|\|\|/g, "\\|")
    .replace(ASKS, "[$1]")
    .replace(/\\math(?:bb|bf)\s*\{?1\}?\s*(?=\[)/g, "")
    .replace(/\\mathscr(?=\s*\{?L)/g, "\\mathcal")
    .replace(/(?<![A-Za-z])\\?log2(?!\d)/g, "\\log_2 ");
}

/** ε for ϵ and φ for ϕ, or the other way round, where the formula prints that form alone. */
function asPrinted(text, printed) {
  const named = (name) => new RegExp(`\\\\${name}(?![A-Za-z])`, "g");
  const turn = (found, [from, to]) => (named(to).test(printed) && !named(from).test(printed) ? found.replace(named(from), `\\${to}`) : found);
  return FORMS.reduce(turn, text);
}

const decoded = (text, codes) => codes.reduce((found, [name, sign]) => found.replace(new RegExp(`(?<![\\\\A-Za-z_{])${name}(?![A-Za-z_(])`, "g"), `${sign} `), text);

/** The marks of the printed formula, where a reader types its letters alone: dy for \\mathrm{d}y, length for \\text{length}. */
function marked(printed) {
  const gradients = [...printed.matchAll(/\\mathrm\{d\}\s*\\?([A-Za-z]+)/g)].map(([, name]) => name);
  const words = [...printed.matchAll(/\\text\{([A-Za-z]{3,})\}/g)].map(([, word]) => word).filter((word) => !/^(?:if|otherwise|else|where|and|with|for)$/.test(word));
  const of = (names) => [...new Set(names)].sort((a, b) => b.length - a.length).join("|");
  return [
    ...(gradients.length ? [[new RegExp(`(?<![\\\\A-Za-z{]|\\\\mathrm\\{)d(?=\\\\?(?:${of(gradients)})(?![A-Za-z]))`, "g"), "\\mathrm{d}"]] : []),
    ...(words.length ? [[new RegExp(`(?<![\\\\A-Za-z{])(${of(words)})(?![A-Za-z(}])`, "g"), "\\text{$1}"]] : []),
  ];
}

const WORD = "\\\\(?:operatorname\\*?|text[a-z]*|math[a-z]+|begin|end)"; // what stands in its braces is a word

/** The LaTeX that was meant; where the book's own formula writes something in that way, it stays as it is. */
export function understood(text, printed, functions, codes = []) {
  const names = [...functions].sort((a, b) => b.length - a.length).join("|");
  const operator = `\\\\(${names})(?![A-Za-z{])|(?<![\\\\A-Za-z{])(${names})(?=\\s*(?:\\(|\\\\left|\\\\frac))`;
  const command = `(?<![\\\\A-Za-z_]|${WORD}\\{[^{}]*|_\\{)(${[...GREEK, ...CAPITALS, ...COMMANDS].sort((a, b) => b.length - a.length).join("|")})(?![A-Za-z])`;
  const steps = [
    [/\\(?:text|mathrm|mathop|textrm)\{([A-Za-z]+)\}/g, (whole, name) => (functions.includes(name) && !printed.includes(whole) ? `\\operatorname{${name}}` : whole)],
    [new RegExp(operator, "g"), "\\operatorname{$1$2}"],
    ...marked(printed),
    [new RegExp(command, "g"), "\\$1"],
    [new RegExp(`_(${SUBSCRIPTS.join("|")}|(?!${GREEK.join("|")})[a-z]{4,})(?![A-Za-z])`, "g"), "_\\text{$1}"],
    ...(/\^\{?T/.test(printed) ? [] : [[/\^(?:\{\s*(?:T|\\(?:mathsf|mathrm|text|textsf)\s*(?:\{T\}|T))\s*\}|T)/g, (sign, at, whole) => (/[A-Za-z]/.test(whole[at + sign.length]) ? "^\\top " : "^\\top")], [/ᵀ|\^\s*\\intercal|\^\{\\intercal\}/g, "^\\top"]]),
    [/\\?log10(?=\s*\(|\s*\\left)/g, "\\log_{10}"],
    [/(?<!\\operatorname|\^|\^\{|_)\s*\*+\s*/g, " \\odot "],
    [/[·⋅×]/g, " \\cdot "],
    [/√/g, "\\sqrt "],
    ...(/\\top/.test(printed) && !/'|prime/.test(printed) ? [[/'/g, "^\\top"]] : []),
  ];
  const replaced = steps.reduce((found, [pattern, meant]) => found.replace(pattern, meant), indexed(signed(decoded(text, codes))));
  return inLines(braced(asPrinted(replaced.replace(/\\sqrt\s+\(/g, "\\sqrt(").replace(/\\sqrt\s+([A-Za-z]_(?:[A-Za-z]|\{[^{}]*\}|\\text\{[^{}]*\}))/g, "\\sqrt{$1}"), printed)));
}

/** A formula without its spaces, and without braces around a single sign: two that differ in them alone are the same. */
export const squeezed = (tex) => tex.replace(/\s|\\[,;!]/g, "").replace(/\{(\\[A-Za-z]+|[^\\{}])\}/g, "$1");
