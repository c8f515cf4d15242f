/** Tokens as a reader sees them: `labels.py` in JavaScript. */
const SHOWN = { " ": "␣", "\n": "⏎", "\t": "⇥" };
const HIDDEN = /[\p{C}\p{Z}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const ACCENT = /^(?![\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{M}/u;

const shown = (character) => SHOWN[character] ?? (HIDDEN.test(character) ? `U+${hexadecimal(character.codePointAt(0), 4)}` : character);
const hexadecimal = (number, digits) => number.toString(16).toUpperCase().padStart(digits, "0");

/** A text in which every character can be seen. */
export const visible = (text) => (ACCENT.test(text) ? "◌" : "") + Array.from(text, shown).join("");

/** Bytes by their numbers. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** Each byte by its number, as SentencePiece writes it. */
export const namedBytes = (bytes) => Array.from(bytes, (byte) => `<0x${hexadecimal(byte, 2)}>`).join("");

/** Bytes as text, or, where they are none by themselves, each by its number. */
export function visibleBytes(bytes) {
  try {
    return visible(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)));
  } catch {
    return namedBytes(bytes);
  }
}
