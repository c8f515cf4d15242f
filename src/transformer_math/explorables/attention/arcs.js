/** Attention as arcs over the sentence, or beside it where the window is narrow: the thicker, the larger the weight. */
import { clamp, fixed, html, put, set, sharpen, show } from "../kit.js";
import { range } from "../numbers.js";

const BESIDE = 32; // the height of a line where words stand below each other

/** Where words stand in a line: each gets room for itself, or less where all together are too wide. */
function places(widths, room) {
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const share = Math.min(1, room / whole);
  const gap = Math.max(0, (room - whole) / widths.length);
  let x = 0;
  return widths.map((width) => {
    const slot = { x, width: width * share, middle: x + (width * share + gap) / 2 };
    x += width * share + gap;
    return { ...slot, x: slot.middle - slot.width / 2 };
  });
}

/** An arc between two middles along the words, as far away as they are apart; a circle from a word to itself; over a sentence that stands at `foot`, or beside it. */
function trace(context, from, to, reach, foot) {
  const point = (along, away) => (foot === undefined ? [away, along] : [along, foot - away]);
  context.beginPath();
  if (from === to) {
    context.arc(...point(from, 7), 5, 0, 2 * Math.PI);
  } else {
    const away = (4 / 3) * reach;
    context.moveTo(...point(from, 1));
    context.bezierCurveTo(...point(from, away), ...point(to, away), ...point(to, 1));
  }
  context.stroke();
}

/** `high` is the height of the arcs over a sentence. */
export function arcs(stage, most, ink, choose, high = 180) {
  const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
  const words = range(most).map(() => html("span"));
  const numbers = range(most).map(() => html("b"));
  const chosen = (i) => ({ type: "button", onfocus: () => choose(i), onclick: () => choose(i), onpointerenter: () => choose(i) });
  const buttons = range(most).map((i) => html("button", chosen(i), words[i], numbers[i]));
  const node = html("div", { class: "xp-arcs", role: "group", "aria-label": "Choose a query" }, canvas, ...buttons);
  const measure = document.createElement("canvas").getContext("2d");
  let [count, font] = [0, ""];
  node.addEventListener("keydown", (event) => {
    const moves = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -most, End: most };
    if (!(event.key in moves)) return;
    event.preventDefault();
    buttons[clamp(buttons.indexOf(document.activeElement) + moves[event.key], 0, count - 1)].focus();
  });
  const lineUp = (tokens, over) => {
    if (!over) return tokens.map((_, i) => ({ x: 0, width: 128, middle: (i + 0.5) * BESIDE }));
    font ||= getComputedStyle(node).fontFamily;
    measure.font = `15px ${font}`;
    return places(tokens.map((token) => clamp(measure.measureText(token).width + 14, 34, 180)), stage.width);
  };
  let [key, slots] = ["", []];
  const arrange = (tokens, over) => {
    const asked = JSON.stringify([tokens, over, stage.width]);
    if (asked === key) return;
    [key, slots, count] = [asked, lineUp(tokens, over), tokens.length];
    show(buttons, count);
    node.classList.toggle("xp-over", over);
    node.style.height = `${over ? high + 48 : count * BESIDE}px`;
    slots.forEach(({ x, width }, i) => {
      const [left, top] = over ? [x, high] : [0, i * BESIDE];
      buttons[i].style.cssText = `left:${left}px;top:${top}px;width:${width}px`;
      buttons[i].title = tokens[i];
      put(words[i], tokens[i]);
      numbers[i].style.visibility = width < 26 ? "hidden" : ""; // they would lie on each other
    });
  };
  const draw = (weights, row, over) => {
    const [width, height] = over ? [stage.width, high] : [stage.column - 132, count * BESIDE];
    const context = sharpen(canvas, width, height);
    const longest = (slots.at(-1).middle - slots[0].middle) || 1;
    const reach = (i, j) => 14 + ((over ? high : width) - 26) * (Math.abs(slots[i].middle - slots[j].middle) / longest) ** 0.7;
    const stroke = (i, j, alpha, line) => {
      context.strokeStyle = `rgba(${ink(1)}, ${alpha})`;
      context.lineWidth = line;
      trace(context, slots[i].middle, slots[j].middle, reach(i, j), over ? high : undefined);
    };
    context.lineCap = "round";
    weights.forEach((line, i) => line.forEach((w, j) => i !== row && w > 0.05 && stroke(i, j, 0.25 * w, 1 + 2 * w)));
    weights[row].forEach((w, j) => w > 0.005 && stroke(row, j, 0.3 + 0.7 * w, 1 + 7 * w));
  };
  const paint = ({ tokens, row, weights }) => {
    arrange(tokens, stage.wide);
    draw(weights, row, stage.wide);
    buttons.slice(0, count).forEach((button, i) => {
      put(numbers[i], fixed(weights[row][i]));
      set(button, { "aria-pressed": i === row });
      button.tabIndex = i === row ? 0 : -1;
    });
  };
  return { node, paint };
}
