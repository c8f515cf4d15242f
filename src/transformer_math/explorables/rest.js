/** Tasks that a pointer does not tick in passing: what it moves counts where it is let go or rests; keys count at once. */
const REST = 500; // milliseconds without a move

/** The same tasks for a figure; what is painted while a pointer moves leaves them as they were. */
export function whereItRests(stage, { node, paint }) {
  let [timer, moving, rested] = [undefined, false, undefined];
  const stop = () => {
    clearTimeout(timer);
    moving = false;
  };
  const rest = () => {
    stop();
    stage.repaint();
  };
  const move = () => {
    stop();
    moving = true;
    timer = setTimeout(rest, REST);
  };
  for (const [type, listen] of [["pointermove", move], ["pointerup", rest], ["keydown", stop]]) stage.root.addEventListener(type, listen, true);
  const paintRested = (now) => {
    if (!moving || !rested) rested = now;
    return paint(rested);
  };
  return { node, paint: paintRested };
}
