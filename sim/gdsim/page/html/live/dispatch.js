// Dispatch as an animation: what each core holds, one change after another, each in words; beside another run, both at
// one instant. For small runs.
const gdsimDispatch = (() => {
  "use strict";
  const PAUSE = 1200;
  const steps = gdsimDispatchSteps;

  /// One run: its caption, if it has one of its own, and its cores with what they hold.
  const makePane = (page, parent, run, hasCaption) => {
    const {words} = run;
    const pane = page.make("div", parent, {className: "dispatch-pane"});
    if (hasCaption) {
      page.make("h4", pane, {}).append(page.make("bdi", pane, {textContent: run.title}));
    }
    const caption = hasCaption ? page.make("p", pane, {className: "pane-caption"}) : null;
    const rowOf = (name, className) => {
      const row = page.make("div", pane, {className});
      page.make("span", row, {className: "slots-name", textContent: name});
      return row;
    };
    const rows = run.shown.map((core) => {
      const row = rowOf(`${words.core} ${core}`, "slots");
      const bar = page.make("div", row, {className: "slots-bar"});
      bar.setAttribute("aria-hidden", "true");
      return {core, bar, text: page.make("span", row, {className: "slots-text"}), blocks: new Map()};
    });
    const hasPorts = run.steps.some(({port}) => port > 0);
    const ports = hasPorts ? page.make("span", rowOf("ports", "ports"), {className: "ports-text"}) : null;
    if (run.shown.length < run.cores)
      page.make("p", pane, {
        className: "note",
        textContent: `The other ${run.cores - run.shown.length} ${words.core}s stay empty.`,
      });
    return {run, caption, rows, ports};
  };

  const drawRow = (page, {core, bar, text, blocks}, states, last, perCore) => {
    const held = [...states.values()].filter((state) => state.core === core && state.threads > 0);
    const keys = new Set(held.map(({key}) => key));
    for (const [key, block] of blocks)
      if (!keys.has(key)) {
        block.remove();
        blocks.delete(key);
      }
    let sum = 0;
    for (const state of held) {
      sum += state.threads;
      if (!blocks.has(state.key)) blocks.set(state.key, page.make("i", bar));
      const block = blocks.get(state.key),
        running = state.threads - state.waiting - state.ended;
      block.className = running === 0 ? "waits" : "runs";
      block.classList.toggle("part", state.isPartial);
      block.classList.toggle("now", last?.key === state.key);
      block.style.width = `${(100 * state.threads) / perCore}%`;
      block.textContent = String(state.group);
    }
    text.textContent = `${sum} of ${perCore}`;
  };

  const captionIn = (run, frame, i) => {
    const count = frame.passed[i];
    if (count === 0) return `Every ${run.words.core} is empty.`;
    if (frame.isStep[i]) return steps.caption(run, count);
    return count === run.steps.length ? "Nothing changes any more." : "Nothing changes here.";
  };

  const drawPane = (page, {run, caption, rows, ports}, frame, i) => {
    const count = frame.passed[i],
      states = steps.statesAfter(run, count),
      last = frame.isStep[i] ? run.steps[count - 1] : null;
    for (const row of rows) drawRow(page, row, states, last, run.perCore);
    if (ports)
      ports.textContent = steps
        .portsAfter(run, count)
        .map((state, port) => `port ${port + 1}: ${state ? steps.nameOf(run, state) : "free"}`)
        .join("; ");
    if (caption) caption.textContent = captionIn(run, frame, i);
  };

  const makeButtons = (page, tools, actions) => {
    const buttons = {};
    for (const [id, text, label, action] of actions) {
      const attributes = {type: "button", id: `dispatch-${id}`, textContent: text, onclick: action};
      buttons[id] = page.make("button", tools, attributes);
      buttons[id].setAttribute("aria-label", label);
    }
    return buttons;
  };

  const missing = (page, section) =>
    page.make("p", section, {
      className: "note",
      id: "dispatch-missing",
      textContent:
        `Dispatch is shown step by step for small runs only: up to ${steps.MAX_STEPS} changes of ` +
        `${page.words.work_group}s on up to ${steps.MAX_CORES} ${page.words.core}s.`,
    });

  const attach = (page, others) => {
    const section = document.getElementById("groups-section");
    if (!page.data.groups || !section) return;
    const own = steps.runOf(page.data, page.title);
    if (!own) {
      missing(page, section);
      return;
    }
    const heading = page.make("h3", section, {id: "dispatch-title", textContent: "Dispatch, step by step"});
    const box = page.make("div", section, {id: "dispatch"});
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", heading.id);
    const tools = page.make("div", box, {className: "dispatch-tools"});
    let runs = [own],
      frames = steps.framesOf(runs),
      panes = [],
      at = 0,
      timer = null;
    const timeOf = (frame) => page.exactTime(runs.length > 1 ? frame.after / 1000 : page.start + frame.after / 1000);
    const draw = () => {
      const frame = frames[at],
        of = `Step ${at} of ${frames.length - 1}`;
      panes.forEach((pane, i) => drawPane(page, pane, frame, i));
      if (runs.length > 1) captionText.textContent = `${of}, ${timeOf(frame)} after the first dispatch of each run`;
      else captionText.textContent = `${of}${at > 0 ? `, ${timeOf(frame)}` : ""}: ${lowered(captionIn(own, frame, 0), at)}`;
      range.value = String(at);
      range.setAttribute("aria-valuetext", captionText.textContent);
    };
    /// "Step 0 of 18: every core is empty."
    const lowered = (text, step) => (step > 0 ? text : text.replace(/^./, (letter) => letter.toLowerCase()));
    const go = (step, isPlaying = false) => {
      if (!isPlaying) stop();
      at = Math.min(Math.max(step, 0), frames.length - 1);
      draw();
      if (at > 0) page.show(Math.min(page.start + frames[at].after / 1000, page.end));
    };
    const stop = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      buttons.play.textContent = "▶ Play";
      buttons.play.setAttribute("aria-label", "Play");
      captionText.removeAttribute("aria-live"); // as its role has it: announced
    };
    const tick = () => {
      if (at >= frames.length - 1) {
        stop();
        return;
      }
      go(at + 1, true);
      timer = setTimeout(tick, PAUSE / Number(speed.value));
    };
    const start = () => {
      if (at >= frames.length - 1) at = 0;
      buttons.play.textContent = "⏸ Pause";
      buttons.play.setAttribute("aria-label", "Pause");
      captionText.setAttribute("aria-live", "off"); // too fast to be read aloud
      tick();
    };
    const save = () => {
      const link = document.createElement("a");
      const svg = gdsimDispatchStrip.svg(runs, frames, timeOf, captionIn);
      link.href = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
      link.download = "dispatch.svg";
      link.click();
      URL.revokeObjectURL(link.href);
    };
    const buttons = makeButtons(page, tools, [
      ["first", "|◀", "Back to the beginning", () => go(0)],
      ["back", "◀", "One step back", () => go(at - 1)],
      ["play", "▶ Play", "Play", () => (timer === null ? start() : stop())],
      ["next", "▶", "One step on", () => go(at + 1)],
      ["save", "Save as SVG", "Save all steps as one picture, for slides", save],
    ]);
    const speed = page.make("select", page.make("label", tools, {textContent: "Speed "}), {id: "dispatch-speed"});
    for (const factor of [0.5, 1, 2, 4, 8])
      page.make("option", speed, {value: String(factor), textContent: `${factor} ×`, selected: factor === 1});
    others.addChooser(page.make("span", tools), "dispatch-beside", "Compare with ");
    const range = page.make("input", tools, {type: "range", id: "dispatch-range", min: "0", step: "1"});
    range.setAttribute("aria-label", "Step");
    const captionText = page.make("p", box, {id: "dispatch-caption"});
    captionText.setAttribute("role", "status");
    const note = page.make("p", box, {className: "note", id: "dispatch-other-missing", hidden: true});
    const area = page.make("div", box, {className: "dispatch-panes"});
    const setOther = (other) => {
      const beside = other && steps.runOf(other.data, other.title);
      note.hidden = !other || beside !== null;
      note.textContent = other ? `${other.title} cannot be shown step by step: it has too many changes or cores, or an older gdsim wrote its page.` : "";
      runs = beside ? [own, beside] : [own];
      frames = steps.framesOf(runs);
      area.replaceChildren();
      panes = runs.map((run) => makePane(page, area, run, runs.length > 1));
      range.max = String(frames.length - 1);
      stop();
      at = 0;
      draw();
    };
    range.addEventListener("input", () => go(Number(range.value)));
    others.onChange(setOther);
  };

  return {attach};
})();
