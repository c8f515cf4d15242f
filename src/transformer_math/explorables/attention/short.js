import { quoted } from "../kit.js";

/** A token as captions and lists name it: of a long one the beginning. */
export const short = (token, most = 24) => (token.length > most ? `${Array.from(token).slice(0, most - 1).join("")}…` : token);

/** The same in a sentence. */
export const quotedShort = (token) => quoted(short(token));

/** Things in a sentence: with commas, and with "and" before the last. */
export const listed = (parts) => parts.join(", ").replace(/, ([^,]*)$/, " and $1");

const NAMED = 3;

/** Words or signs, the first few of many. */
export const someOf = (all) => listed([...all.slice(0, NAMED).map(quoted), ...(all.length > NAMED ? ["others"] : [])]);
