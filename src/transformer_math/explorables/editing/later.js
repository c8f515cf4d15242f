/** What is loaded when somebody first asks for it: `open()` begins, and the figure is painted again when it is here, or cannot be had. */
export function later(stage, load) {
  let [opening, ready, problem] = [undefined, undefined, undefined];
  const open = () => {
    opening ??= load()
      .then((found) => (ready = found))
      .catch((error) => (problem = error))
      .then(() => stage.repaint());
  };
  return { open, ready: () => ready, problem: () => problem };
}
