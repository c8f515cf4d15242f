/** Long computations in short slices, a frame between two of them, so that the page answers while a model computes. */
const SLICE = 3; // milliseconds

/** `advance()` does one piece and says whether another is left; `changed()` is called after each slice. */
export function slices(advance, changed) {
  let waiting = false;
  const turn = () => {
    waiting = false;
    const until = performance.now() + SLICE;
    let more = true;
    while (more && performance.now() < until) more = advance();
    changed();
    if (more) start();
  };
  const start = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => setTimeout(turn));
  };
  return start;
}
