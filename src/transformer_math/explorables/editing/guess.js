/** “Did you mean …?”: known names that are near to one which nobody knows. */
import { COMMANDS, GREEK } from "./typed.js";

/** The question behind an error, or nothing. `known` holds the names of the example and of the book's functions. */
export function didYouMean(error, tex, { symbols, functions }) {
  const unknown = unknownIn(error);
  if (!unknown) return "";
  const written = /^[A-Za-z]{2,}/.exec(tex.slice(error.place?.[0] ?? tex.length))?.[0]; // dk, of which d alone is asked for
  const calls = functions.filter((name) => name.length > 2);
  if (written !== unknown && calls.includes(written)) return ` Did you mean ${written}(…)?`;
  const commands = [...COMMANDS, ...GREEK, "operatorname", "left", "right", "begin", "end"].filter((name) => !calls.includes(name));
  const named = [unknown, ...(written ? [written] : [])];
  const letters = symbols.filter((symbol) => named.some((name) => isNearSymbol(name, symbol)));
  const words = [...calls.map((name) => [name, name]), ...commands.map((name) => [name, `\\${name}`])];
  const near = nearest(named.at(-1), words.filter(([name]) => name !== unknown));
  const found = (unknown.length > 2 ? [...near, ...letters] : [...letters, ...near]).slice(0, 2);
  return found.length ? ` Did you mean ${found.join(" or ")}?` : "";
}

function unknownIn({ unknown, rawMessage = "" }) {
  return unknown?.replace("()", "") ?? /^Undefined control sequence: \\([A-Za-z]+)/.exec(rawMessage)?.[1];
}

const bare = (name) => name.replace(/[^A-Za-z]|\\text/g, "");

/** q for Q, dk for d_k, d_q for d_k: the same letters otherwise written, or another index. */
function isNearSymbol(name, symbol) {
  if (name === symbol) return false;
  if (bare(name).toLowerCase() === bare(symbol).toLowerCase()) return true;
  const [[base, index], [other, below]] = [name, symbol].map((one) => one.split("_"));
  return Boolean(index && below) && base === other;
}

/** Of [name, shown] those whose names are nearest, where one slip or two after the first letter lead there. */
function nearest(word, names) {
  const most = word.length < 4 ? 0 : word.length < 6 ? 1 : 2;
  const [written, initial] = [word.toLowerCase(), word[0]?.toLowerCase()];
  const alike = names.filter(([name]) => name !== word && name[0].toLowerCase() === initial);
  const all = alike.map(([name, shown]) => ({ shown, own: slips(written, name.toLowerCase()) }));
  const least = Math.min(most, ...all.map(({ own }) => own));
  return all.filter(({ own }) => own === least).map(({ shown }) => shown);
}

/** How many letters were left out, put in, exchanged, or swapped with their neighbour. */
export function slips(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      rows[i].push(Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] !== b[j - 1]), swapped));
    }
  }
  return rows[a.length][b.length];
}
