import { slices } from "./work.js";

/** Paints a part in a frame after the answer, with what it was given last; until then `node` is busy. */
export function afterwards(node, paint) {
  let given;
  const start = slices(
    () => (paint(...given), false),
    () => node.setAttribute("aria-busy", "false"),
  );
  return (...last) => {
    given = last;
    node.setAttribute("aria-busy", "true");
    start();
  };
}
