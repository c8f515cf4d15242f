/** Four ways to go on from one prompt, on one tree: a node is a token that was read, with the logits of what may follow. */
import { tracing } from "../model/formulas.js";
import { beamRound, draw, highest, nucleus, probabilities, topK } from "./formulas.js";

const copied = (memory) => memory.map(({ K, V }) => ({ K: [...K], V: [...V] }));

/** The tree of a prompt that has been read: `memory` and `logits` are those after its last token. */
export function plant(model, memory, logits) {
  const root = { id: undefined, depth: 0, logP: 0, children: new Map(), memory, logits };
  /** The node after a token, and its log-probability, a layer in each piece; what was read once is not read again. */
  function* grow(node, id) {
    if (node.children.has(id)) return node.children.get(id);
    const logP = node.logP + Math.log(probabilities(node.logits)[id]);
    const child = { id, parent: node, depth: node.depth + 1, logP, children: new Map(), memory: copied(node.memory) };
    child.logits = (yield* tracing(model, child.memory, id)).logits;
    node.children.set(id, child);
    return child;
  }
  return { root, grow };
}

/** From the root on, `length` tokens, each chosen by `choose(logits, step)`; a pause after each. */
function* walk({ root, grow }, length, choose) {
  const path = [];
  for (let step = 0; step < length; step += 1) {
    const node = path.at(-1) ?? root;
    path.push(yield* grow(node, choose(node.logits, step)));
    yield;
  }
  return path;
}

/** Beam search: all rounds, each a list of nodes, the best first. */
function* beams({ root, grow }, length, width) {
  const rounds = [];
  let found = [{ added: [], logP: 0, node: root }];
  for (let step = 0; step < length; step += 1) {
    const best = beamRound(found, found.map(({ node }) => node.logits), width);
    const byPath = new Map(found.map((one) => [one.added.join(), one.node]));
    found = [];
    for (const { added, logP } of best) {
      const node = yield* grow(byPath.get(added.slice(0, -1).join()), added.at(-1));
      found.push({ added, logP, node });
      yield;
    }
    rounds.push(found.map(({ node }) => node));
  }
  return rounds;
}

/** The path to a node, from the first token after the prompt on. */
export const pathTo = (node) => (node.parent ? [...pathTo(node.parent), node] : []);

/** All four, one after the other: greedy, beam, top-k, nucleus. Top-k and nucleus draw with the same uniform numbers. */
export function* search(tree, { length, width, temperature, top_k: k, mass, uniforms }) {
  const drawn = (narrow) => (logits, step) => draw(narrow(probabilities(logits, temperature)), uniforms[step]);
  const greedy = yield* walk(tree, length, (logits) => highest(logits)[0]);
  const rounds = yield* beams(tree, length, width);
  const few = yield* walk(tree, length, drawn((p) => topK(p, k)));
  const core = yield* walk(tree, length, drawn((p) => nucleus(p, mass)));
  return { paths: { greedy, beam: pathTo(rounds.at(-1)[0]), topk: few, nucleus: core }, rounds };
}
