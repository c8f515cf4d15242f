/** Which bracket of a text has no partner. */

const CLOSES = { ")": "(", "}": "{" };

/** The first bracket that is closed by another kind or by nothing, or that closes nothing: its sign and place; or nothing. */
export function lonelyBracket(text) {
  const open = [];
  for (const { 0: sign, index: at } of text.matchAll(/\\(?![A-Za-z])[^]|[(){}]/g)) {
    if (sign === "(" || sign === "{") open.push({ sign, at });
    if (!(sign in CLOSES)) continue;
    const last = open.pop();
    if (last?.sign !== CLOSES[sign]) return last ?? { sign, at };
  }
  return open.at(-1);
}
