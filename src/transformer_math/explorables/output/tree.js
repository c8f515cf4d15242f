/** The tree of continuations: a column for each token added, a line for each way that ended up elsewhere. */
import { html, svg } from "../kit.js";

const [LINE, TOP, ROOT] = [20, 16, 12];

/** Where each node stands: leaves take a line each, a node stands at its first child; what was dropped comes last. */
function places(root, methods) {
  const at = new Map();
  let line = 0;
  const visit = (node) => {
    const children = [...node.children.values()].filter((child) => methods.has(child));
    children.sort((a, b) => (methods.get(a).length === 0) - (methods.get(b).length === 0));
    if (children.length === 0) at.set(node, (line += 1));
    children.forEach(visit);
    if (children.length) at.set(node, at.get(children[0]));
  };
  visit(root);
  return { at, lines: line };
}

/** `paths` by method, all nodes that a beam ever kept in `rounds`, and how a token is written. */
export function drawTree({ root, paths, rounds, column, label }) {
  const methods = new Map();
  for (const node of rounds.flat()) methods.set(node, []);
  for (const [method, path] of Object.entries(paths)) {
    for (const node of path) methods.set(node, [...(methods.get(node) ?? []), method]);
  }
  const { at, lines } = places(root, methods);
  const point = (node) => [ROOT + node.depth * column, TOP + (at.get(node) - 1) * LINE];
  const [edges, texts] = [[], []];
  for (const [node, of] of methods) {
    const [[x, y], [fromX, fromY]] = [point(node), point(node.parent)];
    const bend = `C${fromX + 14},${fromY} ${x - column + 20},${y} ${x - column + 26},${y} L${x - 2},${y}`;
    const line = (method, i) => svg("path", { d: `M${fromX - 2},${fromY} ${bend}`, class: `xp-branch xp-by-${method}`, transform: `translate(0 ${3 * i})` });
    edges.push(...(of.length ? of.map(line) : [line("none", 0)]));
    const text = svg("text", { x: x - 2, y: y - 4, "text-anchor": "end", class: of.length ? "" : "xp-dropped" }, label(node.id));
    texts.push(text);
  }
  const depth = Math.max(...[...methods.keys()].map((node) => node.depth));
  const [width, height] = [ROOT + depth * column + 8, TOP + lines * LINE];
  const dot = svg("circle", { cx: ROOT, cy: point(root)[1], r: 4, class: "xp-dot xp-muted" });
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, ...edges, dot, ...texts);
}

/** Where a box scrolls, as a sentence; nothing where all of it is seen. */
export function scrolling(box) {
  const ways = [box.scrollWidth > box.clientWidth && "right", box.scrollHeight > box.clientHeight && "down"].filter(Boolean);
  return ways.length ? ` The tree scrolls ${ways.join(" and ")}.` : "";
}

/** The box that holds the tree and scrolls. */
export const treeBox = () =>
  html("div", { class: "xp-tree", tabindex: 0, role: "group", "aria-label": "The tree of continuations; it scrolls" });
