/** Long computations in short slices, a frame between two of them, so that the page answers while models compute. */
const SLICE = 3; // milliseconds, for all that a page computes

const jobs = []; // what has work left, in the order in which it was started
let waiting = false;

function turn() {
  waiting = false;
  const until = performance.now() + SLICE;
  const worked = new Set();
  try {
    while (jobs.length > 0 && performance.now() < until) {
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
export function slices(advance, changed) {
  const job = { advance, changed };
  return () => {
    if (!jobs.includes(job)) jobs.push(job);
    later();
  };
}

/** What a generator returns, all its pieces at once. */
export function finished(pieces) {
  let step = pieces.next();
  while (!step.done) step = pieces.next();
  return step.value;
}
