/** A formula typeset by KaTeX: for the eye, and as MathML for those who listen. */

const PAUSE = 400; // milliseconds

const rendered = (katex, tex, output) => katex.renderToString(tex, { displayMode: true, strict: false, output });

/** The HTML of a formula; MathML alone in Jupyter, which has no style sheet of KaTeX's. Throws what KaTeX says of an unreadable one. */
export const typeset = ({ model }, katex, tex) => rendered(katex, tex, model.library ? "htmlAndMathml" : "mathml");

/**
 * Shows one formula after another in a node, and leaves what is there when one cannot be read: what is seen at once, the
 * MathML at the next pause, since its layout takes the browser as long again. `stop` before something else is put there.
 */
export function typesetter(stage, node) {
  let timer;
  const stop = () => clearTimeout(timer);
  const paint = (katex, tex) => {
    stop();
    const whole = () => (node.innerHTML = typeset(stage, katex, tex));
    if (!stage.model.library) return whole();
    node.innerHTML = rendered(katex, tex, "html");
    timer = setTimeout(whole, PAUSE);
  };
  return { paint, stop };
}
