/** Puts parts of a formula (√d_k, QK^⊤) into a node of their own in KaTeX's tree, so that the page can point at them. */

import { placeOf } from "./reader.js";

const HEADS = new Set(["op", "operatorname", "supsub"]);
const SPACES = new Set(["kern", "spacing"]);

/**
 * Enclose each of some parts, the longest first, where its nodes stand side by side. Places are those of LaTeX that begins
 * `shift` letters later in the tree. Returns what was enclosed: `part` is its number, `attributes` are those of its node.
 */
export function enclose(nodes, parts, shift) {
  const wanted = parts.map(({ place, kind }, part) => ({ part, kind, place: place.map((at) => at + shift) }));
  const longestFirst = wanted.sort(({ place: [a, b] }, { place: [c, d] }) => d - c - (b - a));
  return longestFirst.flatMap((one) => {
    const attributes = { "data-part": "" };
    return inList(nodes, one, attributes) ? [{ ...one, attributes }] : [];
  });
}

function inList(nodes, one, attributes) {
  const run = runOf(nodes, one);
  if (run && isMarked(run, nodes)) return false;
  if (run) {
    const [start, end] = run;
    nodes.splice(start, end - start, { type: "html", mode: "math", attributes, body: nodes.slice(start, end) });
    return true;
  }
  return nodes.some((node) => inNode(node, one, attributes));
}

function inNode(node, one, attributes) {
  if (Array.isArray(node)) return inList(node, one, attributes);
  if (!node || typeof node !== "object") return false;
  return Object.entries(node).some(([name, part]) => name !== "loc" && name !== "attributes" && inNode(part, one, attributes));
}

/** From where to where the nodes of a list cover a part, with the √, Σ or max before it, which has no place. */
function runOf(nodes, { place: [from, to], kind }) {
  if (!nodes.every((node) => node?.type)) return undefined; // the cells of a row
  const places = nodes.map(placeOf);
  const first = places.findIndex((place) => place?.[0] === from);
  const last = places.findLastIndex((place) => place?.[1] === to);
  if (first < 0 || last < first) return undefined;
  const before = nodes.slice(0, first).findLastIndex(({ type }) => !SPACES.has(type));
  return [kind === "call" && isHead(nodes[before]) ? before : first, last + 1];
}

/** Whether a node is the name of a function, marked or not, that has no place of its own. */
const isHead = (node) => node !== undefined && !placeOf(node) && HEADS.has(node.type === "html" ? node.body[0].type : node.type);

/** A symbol that covers the same letters has its mark already. */
const isMarked = ([start, end], nodes) => end - start === 1 && nodes[start].attributes !== undefined;
