/** The line below a figure on a page: copies an address that holds its state, and says what of such an address cannot be. */
import { fragmentOf, stateOf } from "./address.js";

const TOLD = 8000; // milliseconds: the figure may have moved on by then

/** Put the address of the figure as it stands into the clipboard; where that is refused, into a field, selected. */
export async function copy({ said, id, kinds, start, model }) {
  const { fragment, left } = fragmentOf(id, await kinds(), start, model.get);
  const link = location.href.replace(/[?#].*/, "") + fragment;
  const rest = left.length ? ` Too long for a link, and left out: ${inWords(left)}.` : "";
  try {
    await navigator.clipboard.writeText(link);
    const told = (said.textContent = `Link copied.${rest}`);
    setTimeout(() => said.textContent === told && (said.textContent = ""), TOLD);
  } catch {
    offer(said, link, rest);
  }
}

function offer(said, link, rest) {
  const field = Object.assign(document.createElement("input"), { type: "text", readOnly: true, value: link });
  field.setAttribute("aria-label", "Link to this figure, to be copied");
  said.replaceChildren(field, `Copy it from here.${rest}`);
  field.focus({ preventScroll: true });
  field.select();
}

/** The state at the start, changed as the query of an address asks; what cannot be is said. */
export async function opened(query, { said, kinds, start }) {
  const { found, refused } = stateOf(query, await kinds(), start);
  said.textContent = refused.length ? `This link asks for something that the figure does not have: ${inWords(refused)}.` : "";
  return { ...start, ...found };
}

const inWords = (names) => names.map((name) => name.slice(0, 24).replaceAll("_", " ")).slice(0, 4).join(", ");
