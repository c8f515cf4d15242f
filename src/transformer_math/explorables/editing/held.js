/** A stopped gradient passes its value, so numbers cannot tell where it stands in a formula. Where it doubles the value, they do. */
import { read } from "../../formulas/reader.js";
import { distances, farthest, numbers, SAME } from "./book.js";

const STOP = "eq-stop-gradient";

/** Whether a formula asks what is held fixed: it stands where stopping is defined. */
export const asksWhatIsHeld = (book, page) => book.formulas.get(STOP)?.page === page;

/** Whether two runs give different numbers as soon as a stopped gradient doubles what it passes. */
export function holdsOtherwise(katex, book, own, printed) {
  const stopped = book.formulas.get(STOP);
  const { statements } = stopped;
  stopped.statements = read(katex, "\\operatorname{sg}(x) = 2 x");
  try {
    const [mine, right] = [own, printed].map((run) => run().flatMap(numbers));
    return !(farthest(distances(mine, right)).by < SAME);
  } finally {
    stopped.statements = statements;
  }
}
