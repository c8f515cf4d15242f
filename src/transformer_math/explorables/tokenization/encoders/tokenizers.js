/** All tokenizers of the playground: each cuts a text into tokens { id, start, end }, and says what a token is called. */
import { makeBpe } from "../formulas.js";
import { bpeEncoder, byteBpeEncoder } from "./bpe.js";
import { hex, namedBytes, visible, visibleBytes } from "./labels.js";
import { sentencePieceEncoder } from "./sentencepiece.js";
import { unigramEncoder } from "./unigram.js";
import { byteEncoder, characterEncoder, wordEncoder } from "./units.js";
import { wordPieceEncoder } from "./word_piece.js";

const byId = (ids) => {
  const names = [];
  for (const [token, id] of Object.entries(ids)) names[id] = visible(token);
  return names;
};

const OPENED = {
  characters: (plain) => ({ names: byId(plain.ids), encode: characterEncoder(plain) }),
  words: (plain) => ({ names: byId(plain.ids), encode: wordEncoder(plain) }),
  bytes: () => ({ names: Array.from({ length: 256 }, (_, byte) => hex([byte])), spoken: byteNames, encode: byteEncoder() }),
  bpe: (plain) => ({ names: plain.tokens.map(visible), encode: bpeEncoder(plain) }),
  byte_bpe: (plain) => byteLevel(plain, makeBpe(plain.merges).tokens),
  word_piece: (plain) => ({ names: byId(plain.vocabulary), encode: wordPieceEncoder(plain) }),
  unigram: (plain) => ({ names: [...byteNames, ...plain.pieces.map(visible)], encode: unigramEncoder(plain) }),
  sentencepiece: (plain) => ({ names: plain.pieces.map(visible), encode: sentencePieceEncoder(plain) }),
};

const byteNames = Array.from({ length: 256 }, (_, byte) => namedBytes([byte]));

const byteLevel = (plain, bytes) => ({ names: bytes.map(visibleBytes), bytes, encode: byteBpeEncoder(plain) });

async function inflated(data) {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** The tokenizers by name, from the compressed JSON that Python wrote. `unknown` is the id of `[UNK]`, where there is one. */
export async function openTokenizers(data) {
  const plain = JSON.parse(await inflated(data));
  const opened = Object.entries(plain).map(([name, learnt]) => {
    const made = OPENED[name](learnt);
    return [name, { ...made, unknown: made.names.indexOf("[UNK]") }];
  });
  return Object.fromEntries(opened);
}
