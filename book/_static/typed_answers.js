/** What somebody typed, in the one form that an answer has: the rules of `plots/canonical.py`, and a reader of numbers as people write them. */
"use strict";

globalThis.typedAnswers = (() => {
  const SIGNS = { "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "√": " sqrt ", "[": "(", "]": ")", "{": "(", "}": ")" };
  const FUNCTIONS = { sqrt: Math.sqrt, ln: Math.log, log: Math.log, loge: Math.log, log2: Math.log2, log10: Math.log10, exp: Math.exp, sin: Math.sin, cos: Math.cos, tan: Math.tan, abs: Math.abs };
  const CONSTANTS = { e: Math.E, pi: Math.PI, π: Math.PI, inf: Infinity, "∞": Infinity };
  const TOKEN = /\s*((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[A-Za-zπ∞_α-ω][\w]*|[-+*/^()%])/y;
  const SCALES = { thousand: 3, million: 6, billion: 9, trillion: 12, k: 3, K: 3, M: 6 };
  const LITERAL = /^[-+]?(\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?%?$/i;

  /** 50,257 and 50 257 without what stands between, 0,5 with a point. */
  const ungrouped = (text) =>
    text
      .replace(/^.*[=≈]/s, "")
      .replace(/\{,\}/g, ",")
      .replace(/\\[,;:! ]|~/g, " ")
      .replace(/(?<![\d.,])[1-9]\d{0,2}(?:(?:[,\s_'’]\d{3})+(?![\d,])|(?:\.\d{3}){2,}(?![\d.]))/g, (run) => run.replace(/\D/g, ""))
      .replace(/(?<=\d),(?=\d)/g, ".");

  const MIXED = /(?<![\w.])(\d+)(?:\s*([¼-¾⅐-⅞]|\\[dt]?frac\s*(?:\d\s*\d|\{\d+\}\s*\{\d+\}))|(?<![\^/]\s*\d+|[\w.)]\s+\d+)\s+(\d+\/\d+)(?!\w|\s*[.^/(]))/g;

  /** One way to write each sign; 13⅓ and 13 1/3 are sums; of \frac12 n the one and the two, of log_2 the base. */
  function plain(text) {
    return ungrouped(text)
      .replace(MIXED, "($1+$2$3)")
      .replace(/[⁰¹²³⁴-⁹⁻]+/g, "^($&)")
      .replace(/[¼-¾⅐-⅞]/g, "($&)")
      .normalize("NFKC")
      .replace(/\\(?:text|mathrm)\s*\{([^{}]*)\}/g, "$1")
      .replace(/\\[dt]?frac\s*(\w|\{[^{}]*\}|)\s*(\w?)/g, " frac $1 $2 ")
      .replace(/\\(?:cdot|times)(?![A-Za-z])/g, "*")
      .replace(/\\(?:left|right)(?![A-Za-z])/g, "")
      .replace(/\\(?=[a-z])/g, "")
      .replace(/log_\{?(2|10|e)(?!\d)\}?/g, "log$1 ")
      .replace(/[−–×·⋅∗÷∕⁄√[\]{}]/g, (c) => SIGNS[c])
      .replace(/\*\*/g, "^")
      .trim();
  }

  function tokens(text) {
    const found = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.length) {
      const at = TOKEN.lastIndex;
      const one = TOKEN.exec(text);
      if (!one) {
        if (!text.slice(at).trim()) break;
        throw new Error(`“${text.slice(at).trim()[0]}” cannot be read here`);
      }
      found.push(one[1]);
    }
    return found;
  }

  /** `wn` is w times n, where both are known. */
  function split(name, known) {
    const [parts, whole] = [[], name];
    while (name) {
      const digits = name.match(/^\d+/)?.[0]; // ln9
      const first = digits ?? known.filter((one) => name.startsWith(one)).sort((a, b) => b.length - a.length)[0];
      if (!first) throw new Error(`nothing here is called “${whole}”`);
      parts.push(first);
      name = name.slice(first.length);
    }
    return parts;
  }

  /** The value of a short expression, with the values of its letters. */
  function evaluate(text, scope = {}) {
    const values = { ...CONSTANTS, ...scope };
    const known = [...Object.keys(values), ...Object.keys(FUNCTIONS), "frac"];
    const rest = tokens(text).flatMap((one) => (/^[A-Za-zπ∞_α-ω]/.test(one) ? split(one, known) : [one]));
    const take = () => rest.shift();
    const isValue = (one) => one !== undefined && !/^[-+*/^)%]$/.test(one);
    const sum = () => {
      let value = product();
      while (rest[0] === "+" || rest[0] === "-") value = take() === "+" ? value + product() : value - product();
      return value;
    };
    const product = () => {
      let value = signed();
      for (;;) {
        if (rest[0] === "*") take(), (value *= signed());
        else if (rest[0] === "/") take(), (value /= signed());
        else if (isValue(rest[0])) value *= power();
        else return value;
      }
    };
    const signed = () => (rest[0] === "-" ? (take(), -signed()) : rest[0] === "+" ? (take(), signed()) : power());
    const power = () => {
      const base = atom();
      return rest[0] === "^" ? (take(), base ** signed()) : base;
    };
    const atom = () => {
      const one = take();
      if (!isValue(one)) throw new Error(one ? `something is missing before “${one}”` : "something is missing at the end");
      let value;
      if (one === "(") {
        value = sum();
        if (take() !== ")") throw new Error("a bracket is not closed");
      } else if (one === "frac") value = atom() / atom();
      else if (one in FUNCTIONS) value = FUNCTIONS[one](power());
      else value = one in values ? values[one] : Number(one);
      return rest[0] === "%" ? (take(), value / 100) : value;
    };
    const value = sum();
    if (rest.length) throw new Error(`“${rest[0]}” is one too many`);
    if (Number.isNaN(value)) throw new Error("this has no value");
    return value;
  }

  /** 176 million, 60k: with a power of ten. */
  const scaled = (text) => text.replace(/(\d)\s*(thousand|million|billion|trillion|[kKM])(?!\w)/, (_, digit, word) => `${digit}e${SCALES[word]}`);

  const SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
  const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

  /** A number that comes after this one has to be smaller: than ten after twenty, than a hundred after two hundred. */
  const room = (value) => (value === undefined || (value > 0 && value % 100 === 0) ? 100 : value >= 20 && value % 10 === 0 && value % 100 > 10 ? 10 : 0);

  const PARTS = { half: 2, halve: 2, third: 3, quarter: 4, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10 };
  const NUMERALS = [...SMALL, ...TENS, "hundred"].join("|");
  const NUMERAL = new RegExp(`\\b(?:${NUMERALS})(?:[ -](?:and )?(?:${NUMERALS}))*\\b`, "i");
  const PART = new RegExp(`(?<![\\w.])(?:(\\d+) and )?(?:(an?|\\d+)[ -]|(?=half))(${Object.keys(PARTS).join("|")})(s?)\\b`, "i");
  const CHANGING = new RegExp(`\\b(?:${NUMERALS}|${Object.keys(SCALES).join("|")}|(?:${Object.keys(PARTS).join("|")})s?|dozen|squared|cubed|(?:kilo|mega|giga)\\w+|[mb]n|[gt]|[kmg]i)\\b`, "i");

  /** thirty-two, five hundred and twelve: number words where there are no digits. */
  function counted(text) {
    if (!/^[a-z][a-z /-]*$/i.test(text)) return text;
    return text.replace(NUMERAL, (run) => {
      let value;
      for (const word of run.toLowerCase().split(/ and |[ -]/)) {
        const amount = TENS.includes(word) ? 10 * TENS.indexOf(word) + 20 : SMALL.indexOf(word);
        if (amount >= 0 && amount < room(value)) value = (value ?? 0) + amount;
        else if (word === "hundred" && (value ?? 1) < 20) value = 100 * (value ?? 1);
        else return run;
      }
      return value;
    });
  }

  /** 2 thirds, one and a half, 50 percent: in signs. A third is a part, and “third” none. */
  const worded = (text) =>
    text
      .replace(PART, (all, whole = 0, count = "a", part, plural) => (count > 1 === !plural ? all : `(${whole}+${count > 1 ? count : 1}/${PARTS[part.toLowerCase()]})`))
      .replace(/^(?:minus|negative)\s/i, "-")
      .replace(/\s*per ?cent\b/i, "%");

  const UNIT = /^(.*[\d)%])\s*(?:([kmgt])(?:ilo|[ei]ga|era|(i|[ei]bi))?)?(bits?|bytes?|b)(?:ps)?(?:[\s/][a-z\s/]*)?$/is;

  /** 6 kbit are 6000, and bytes are no bits; what else 16 B may be, `MEANINGS` says. */
  function withoutUnit(text, asking) {
    const [, amount, prefix, binary, unit] = UNIT.exec(text) ?? [];
    if (!unit) return text;
    const given = unit === "B" || /y/i.test(unit) ? "byte" : "bit";
    const asked = /\bb(?:it|yte)(?=s?\b)/i.exec(asking)?.[0].toLowerCase();
    if (asked ? asked !== given : given === "byte" && (prefix || unit !== "B")) throw new Error(`write the number alone${asked ? `, in ${asked}s` : ""}`);
    return prefix ? `(${amount})*${binary ? 1024 : 1000}^${" kmgt".indexOf(prefix.toLowerCase())}` : amount;
  }

  /** A number and how many digits of it were written out; other words behind it (“3 tokens”) do no harm. */
  function number(text, asking) {
    const signs = plain(text).replace(/(?<=[\d)])\s*x\s*(?=[\d(])/g, "*");
    const typed = withoutUnit(scaled(worded(counted(signs))), asking);
    const [, before, behind] = typed.match(/^(.*[\d)%])\s+([A-Za-z ]+)$/s) ?? [];
    const written = before && !CHANGING.test(behind) ? before : typed;
    let value;
    try {
      value = evaluate(typed);
    } catch (error) {
      if (written === typed) throw error;
      value = evaluate(written);
    }
    const literal = written.replace(/\s/g, "").match(LITERAL)?.[1];
    if (literal === undefined || value === 0) return { value, digits: Infinity };
    const bare = literal.replace(/^[0.]+/, "").replace(".", "");
    return { value, digits: (literal.includes(".") ? bare : bare.replace(/0+$/, "")).length };
  }

  function balanced(text) {
    let depth = 0;
    return [...text].every((c) => (depth += "([{".includes(c) - ")]}".includes(c)) >= 0);
  }

  const NUMBERS_ALONE = /^[-+−\d.\s]+$/;

  /** The parts of a list: at semicolons, commas (those in 2,144 may be none) or “and”, at × or x, else at spaces. */
  function parts(text, count) {
    let bare = text.replace(/^.*[=≈]/s, "").replace(/[\])]\s*[,;]?\s*[[(]/g, ";").trim();
    while (/^[([{].*[)\]}]$/s.test(bare) && balanced(bare.slice(1, -1))) bare = bare.slice(1, -1).trim();
    const ways = [/\s*;\s*/, /\s*(?:[,;→]|\band\b)\s*/, /\s*[,;]\s*/, /,\s+|;/, /\s*(?:×|x|\*|by|\\times)\s*/, /\s*[,;|\s]\s*/];
    const cut = ways.map((way) => bare.split(way).filter(Boolean));
    return cut.find((found) => found.length === count) ?? cut.at(NUMBERS_ALONE.test(bare) ? -1 : 1);
  }

  function firstDigits(value, digits) {
    if (value === 0) return "0";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${mantissa.replace(".", "")}e${Number(exponent) - digits + 1}`;
  }

  function ofNumber(value, digits) {
    if (!Number.isFinite(value)) return firstDigits(value, 1);
    const whole = Math.round(value);
    if (!digits && Math.abs(value - whole) <= 1e-9 * Math.abs(value)) return String(BigInt(whole));
    return firstDigits(value, digits ?? 3);
  }

  const MEANINGS = [
    [/^(\s*[-+−]?\d{1,3}),(?=\d{3}\s*$)/, "$1."],
    [/(\d)\s*B\s*$/, "$1 billion"],
  ];

  /** What may be meant: 2,197 is two thousand or two, 16 B are bytes or billions. */
  function numbers(text, question) {
    const others = question.count === 1 ? MEANINGS.map(([pattern, meant]) => text.replace(pattern, meant)) : [];
    return [...new Set([text, ...others])].flatMap((one) => formsOf(one, question));
  }

  /** The forms that one or several numbers may have: as they are, cut off behind the last digit that is wanted, rounded too far. */
  function formsOf(text, { count, digits, text: asking }) {
    const found = (count === 1 ? [text] : parts(text, count)).map((one) => number(one, asking));
    if (found.length !== count) throw new Error(`${count} numbers are wanted, and ${found.length} ${found.length === 1 ? "is" : "are"} here`);
    const joined = (form) => found.map(({ value }) => form(value)).join(",");
    const few = Math.min(...found.map((one) => one.digits));
    const forms = [joined((value) => ofNumber(value, digits)), joined((value) => firstDigits(value, digits ?? 3))];
    if (few === (digits ?? 3)) forms.push(`cut~${forms[1]}`);
    return few < 20 ? [...forms, `${few}~${joined((value) => firstDigits(value, few))}`] : forms;
  }

  function words(text) {
    const bare = text.toLowerCase().replace(/[“”‘’"'`()[\]]/g, "").replace(/[▁␣]/g, "_");
    const looser = bare.replace(/\.\s*$/, "").replace(/\bu\s*\+\s*/, "u+").replace(/\s(?:and|then|\+)\s|→/g, " ");
    return [bare, looser].map((one) => one.split(/[\s,;|·]+/).filter(Boolean).join(" "));
  }

  function formula(text, { letters, points }) {
    const typed = plain(text).replace(/(?<=d)_\(?model\)?/g, letters.includes("d") ? "" : "$&");
    const at = (point) => evaluate(typed, Object.fromEntries(letters.map((letter, i) => [letter, point[i]])));
    return [points.map((point) => firstDigits(at(point), 6)).join(",")];
  }

  const READERS = { number: numbers, numbers, words, formula };

  return { evaluate: (text, scope) => evaluate(plain(text), scope), forms: (text, question) => READERS[question.kind](text, question) };
})();
