import { quoted } from "../kit.js";

/** A token as captions and lists name it: of a long one the beginning. */
export const short = (token, most = 24) => (token.length > most ? `${Array.from(token).slice(0, most - 1).join("")}…` : token);

/** The same in a sentence. */
export const quotedShort = (token) => quoted(short(token));
