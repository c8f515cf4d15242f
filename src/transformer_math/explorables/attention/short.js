import { quoted } from "../kit.js";

/** A token as captions and lists name it: of a long one the beginning. */
export const short = (token) => (token.length > 24 ? `${Array.from(token).slice(0, 23).join("")}…` : token);

/** The same in a sentence. */
export const quotedShort = (token) => quoted(short(token));
