/** Brackets in a text: which one has no partner, and how deep they stand in each other. */

const CLOSES = { ")": "(", "}": "{" };

/** The first bracket that is closed by another kind or by nothing, or that closes nothing: its sign and place; or nothing. */
export function lonelyBracket(text) {
  const open = [];
  for (const { 0: sign, index: at } of text.matchAll(/\\(?![A-Za-z])[^]|[(){}]/g)) {
    if (sign === "(" || sign === "{") open.push({ sign, at });
    if (!(sign in CLOSES)) continue;
    if (!open.some((one) => one.sign === CLOSES[sign])) return { sign, at };
    const last = open.pop();
    if (last.sign !== CLOSES[sign]) return last;
  }
  return open.at(-1);
}

const DEEPEST = 40; // beyond some hundreds a browser's layout gives up, and the page with it

/** Why a text is not even typeset, or nothing. */
export function tooDeep(text) {
  let [now, most] = [0, 0];
  for (const [sign] of text.matchAll(/\\(?![A-Za-z])[^]|[(){}]/g)) {
    if (sign === "(" || sign === "{") most = Math.max(most, (now += 1));
    if (sign in CLOSES) now -= 1;
  }
  return most > DEEPEST ? `Brackets stand ${most} deep in each other here; ${DEEPEST} are read at most.` : undefined;
}
