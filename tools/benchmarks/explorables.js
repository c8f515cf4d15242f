/**
 * Give every control of an explorable an input in turn, one a frame, and mark each input and the end of the frame that
 * shows it: a message sent within the frame arrives after the frame was painted. Between two inputs, the same is marked
 * of a frame that only writes a number above the explorable: what any frame costs here.
 */
async ({ idea, events }) => {
  const root = document.querySelector(`figure.explorable[data-explorable="${idea}"] section.xp`);
  root.scrollIntoView({ block: "center" });
  root.querySelectorAll("details").forEach((details) => (details.open = true));
  const formula = root.querySelector(".xp-latex textarea");
  formula?.focus(); // what a formula needs is loaded when a reader begins to edit
  await new Promise((done) => setTimeout(done, formula ? 4000 : 300));
  const printed = formula?.value || "S = Q K^\\top"; // where a reader begins with nothing, something

  const changed = (node, type) => node.dispatchEvent(new Event(type, { bubbles: true }));
  const key = (node, name) => node.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const sentence = root.querySelector("input[type=text]")?.value;
  const slide = (node, turn) => {
    const steps = Math.max(1, Math.round((node.max - node.min) / node.step));
    node.value = Number(node.min) + node.step * ((turn * 7 + 3) % (steps + 1));
    changed(node, "input");
  };
  const type = (node, turn) => {
    node.value = sentence.slice(0, sentence.length - (turn % sentence.length));
    changed(node, "input");
  };
  const write = (node, turn) => {
    node.value = printed.replace("=", `= ${(turn % 7) + 2}`);
    changed(node, "input");
  };
  const prose = document.body.innerText.repeat(3).slice(0, 3000); // a text of a few thousand characters
  const insert = (node, turn) => {
    node.focus({ preventScroll: true });
    if (document.activeElement !== node) return;
    node.setSelectionRange(1000 + turn, 1000 + turn); // a reader writes on
    document.execCommand("insertText", false, "whales "[turn % 7]);
  };
  const edit = (node, turn) => {
    node.value = (turn % 9) - 4;
    changed(node, "input");
  };
  const move = (node, turn) => key(node, ["ArrowRight", "ArrowUp", "ArrowRight", "ArrowLeft"][turn % 4]);

  // Kinds take turns, and within a kind its members: hundreds of number fields do not crowd out one slider.
  const ways = {
    "input[type=range]:enabled": slide,
    "input[type=text]": type,
    ".xp-latex textarea": write,
    ".xp-text textarea, .xp-ghost textarea": insert,
    ".xp-pieces [role=option]": (node) => node.click(),
    ".xp-edits button": (node) => node.click(),
    ".xp-buttons:not(.xp-examples) button:enabled": (node) => node.click(), // an example would make each letter a new text
    "input[type=radio]": (node) => node.click(),
    "input[type=checkbox]": (node) => node.click(),
    "input[type=number]": edit,
    "[role=slider]": move,
    select: (node, turn) => {
      const offered = [...node.options].filter((option) => !option.disabled && !option.selected);
      offered[(turn * 5 + 1) % offered.length].selected = true;
      changed(node, "change");
    },
    ".xp-field:not(.xp-quiet), .xp-cover": (node, turn) => key(node, ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"][turn % 5]),
    ".xp-arcs button": (node) => node.click(),
  };
  const visible = (selector) => [...root.querySelectorAll(selector)].filter((node) => node.checkVisibility());
  const kinds = Object.entries(ways).filter(([selector]) => visible(selector).length > 0);

  for (const passage of visible(".xp-text textarea, .xp-ghost textarea")) {
    passage.value = prose;
    changed(passage, "input");
    await new Promise((done) => setTimeout(done, 300));
  }

  const channel = new MessageChannel();
  const marked = (what, act) =>
    new Promise((done) =>
      requestAnimationFrame(() => {
        performance.mark(`${what} begins`);
        channel.port1.onmessage = () => done(performance.mark(`${what} ends`));
        act();
        channel.port2.postMessage(null);
      }),
    );
  const counter = root.parentElement.insertBefore(document.createElement("p"), root);
  let [inputs, answered, changes] = [0, 0, 0];
  new MutationObserver((list) => (changes += list.length)).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  for (let event = 0; event < events; event += 1) {
    const [selector, act] = kinds[event % kinds.length];
    const members = visible(selector);
    const turn = Math.floor(event / kinds.length);
    changes = 0;
    if (members.length > 0) {
      await marked("input", () => act(members[turn % members.length], turn));
      inputs += 1;
    }
    await marked("plain", () => (counter.textContent = event));
    answered += changes > 0;
  }
  return { inputs, answered };
};
