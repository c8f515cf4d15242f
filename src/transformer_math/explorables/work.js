/** Long computations in short slices, a frame between two of them, so that the page answers while models compute. */
const SLICE = 3; // milliseconds, for all that a page computes; who is waited for may ask for more

const jobs = []; // what has work left, in the order in which it was started
let waiting = false;

function turn() {
  waiting = false;
  const since = performance.now();
  const worked = new Set();
  try {
    while (jobs.length > 0 && performance.now() - since < jobs[0].budget) {
      const job = jobs.shift();
      worked.add(job);
      if (job.advance()) jobs.unshift(job);
    }
    for (const { changed } of worked) changed();
  } finally {
    if (jobs.length > 0) later(); // an error in one does not stop the others
  }
}

function later() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => setTimeout(turn));
}

/** `advance()` does one piece and says whether another is left; `changed()` is called after each slice. */
export function slices(advance, changed, budget = SLICE) {
  const job = { advance, changed, budget };
  return () => {
    if (!jobs.includes(job)) jobs.push(job);
    later();
  };
}

/** Runs one generator at a time in slices: `begin(pieces, found)` gives up the one before, and hands over what this one returns. */
export function piecewise(changed, budget) {
  let [left, found] = [undefined, undefined];
  const stop = () => (left = undefined);
  const advance = () => {
    if (!left) return false;
    const { done, value } = left.next();
    if (!done) return true;
    stop();
    found(value);
    return false;
  };
  const start = slices(advance, changed, budget);
  const begin = (pieces, then) => {
    [left, found] = [pieces, then];
    start();
  };
  return { begin, stop, isBusy: () => left !== undefined };
}

/** What a generator returns, all its pieces at once. */
export function finished(pieces) {
  let step = pieces.next();
  while (!step.done) step = pieces.next();
  return step.value;
}
