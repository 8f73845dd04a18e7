// Dispatch as an animation: what each core holds, one change after another, each in words. For small runs.
const gdsimDispatch = (() => {
  "use strict";
  const COLUMNS = 9,
    PAUSE = 1200,
    MAX_CORES = 32;
  const KINDS = ["comes", "changes", "leaves"];

  const stepsOf = (page, flat) =>
    Array.from({length: flat.length / COLUMNS}, (_, i) => {
      const [time, kind, launch, group, core, threads, waiting, ended, partial] = flat.slice(
        i * COLUMNS,
        (i + 1) * COLUMNS,
      );
      return {
        time: page.start + time / 1000,
        kind: KINDS[kind],
        launch,
        group,
        core,
        threads,
        waiting,
        ended,
        isPartial: partial === 1,
        key: `${launch}/${group}/${core}`,
        whole: `${launch}/${group}`,
      };
    });

  /// The most threads that each work-group ever has, on all cores together: all of them once it is placed in full.
  const sizesOf = (steps) => {
    const now = new Map(),
      sizes = new Map();
    for (const step of steps) {
      const parts = now.get(step.whole) ?? new Map();
      now.set(step.whole, parts.set(step.core, step.kind === "leaves" ? 0 : step.threads));
      const sum = [...parts.values()].reduce((a, b) => a + b, 0);
      const before = sizes.get(step.whole);
      sizes.set(step.whole, {
        threads: Math.max(before?.threads ?? 0, sum),
        isKnown: before?.isKnown || !step.isPartial,
      });
    }
    return sizes;
  };

  /// What a step changes, in words. `before` is the state of the same work-group on the same core.
  const caption = (step, before, size, words, names) => {
    const count = (number) => `${number} ${words.thread}${number === 1 ? "" : "s"}`;
    const name = `${words.work_group} ${step.group}${names.length > 1 ? ` of ${names[step.launch]}` : ""}`;
    const where = `${words.core} ${step.core}`;
    const begin = name.replace(/^./, (letter) => letter.toUpperCase());
    if (step.kind === "leaves") return `${begin} leaves ${where}: ${count(before?.threads ?? 0)} free their contexts.`;
    if (step.kind === "comes") {
      if (!step.isPartial && step.threads === size.threads)
        return `${begin}: all ${count(step.threads)} are placed on ${where}.`;
      return (
        `${begin}: ${step.threads} of ${size.isKnown ? count(size.threads) : `its ${words.thread}s`} ` +
        `are placed on ${where}` +
        `${step.isPartial ? "; the others wait for room" : ""}.`
      );
    }
    const parts = [];
    if (step.threads > before.threads)
      parts.push(`${count(step.threads - before.threads)} more are placed on ${where}`);
    if (before.isPartial && !step.isPartial) parts.push(`all of its ${words.thread}s are placed now`);
    if (step.waiting > before.waiting) parts.push(`${count(step.waiting - before.waiting)} wait at a barrier`);
    if (step.waiting < before.waiting)
      parts.push(`the barrier opens, and ${count(before.waiting - step.waiting)} go on`);
    if (step.ended > before.ended)
      parts.push(`${count(step.ended - before.ended)} have ended, and hold their contexts until the others end`);
    if (step.threads < before.threads)
      parts.push(`${count(before.threads - step.threads)} have ended and free their contexts`);
    return `${begin} on ${where}: ${parts.join("; ") || "another part of it changes"}.`;
  };

  const attach = (page) => {
    const source = page.data.groups,
      section = document.getElementById("groups-section");
    if (!source || !section) return;
    if (!source.changes) {
      page.make("p", section, {
        className: "note",
        id: "dispatch-missing",
        textContent:
          "Dispatch is shown step by step for small runs only: up to 600 changes of " +
          `${page.words.work_group}s on up to ${MAX_CORES} ${page.words.core}s.`,
      });
      return;
    }
    const steps = stepsOf(page, source.changes),
      sizes = sizesOf(steps),
      {words} = page;
    const perCore = Number(page.data.per_core);
    const heading = page.make("h3", section, {id: "dispatch-title", textContent: "Dispatch, step by step"});
    const box = page.make("div", section, {id: "dispatch"});
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", heading.id);
    const tools = page.make("div", box, {className: "dispatch-tools"});
    const button = (id, text, label, action) => {
      const element = page.make("button", tools, {
        type: "button",
        id: `dispatch-${id}`,
        textContent: text,
        onclick: action,
      });
      element.setAttribute("aria-label", label);
      return element;
    };
    button("first", "|◀", "Back to the beginning", () => go(0));
    button("back", "◀", "One step back", () => go(at - 1));
    const play = button("play", "▶ Play", "Play", () => (timer === null ? start() : stop()));
    button("next", "▶", "One step on", () => go(at + 1));
    const speedLabel = page.make("label", tools, {textContent: "Speed "});
    const speed = page.make("select", speedLabel, {id: "dispatch-speed"});
    for (const factor of [0.5, 1, 2, 4, 8])
      page.make("option", speed, {value: String(factor), textContent: `${factor} ×`, selected: factor === 1});
    button("save", "Save as SVG", "Save all steps as one picture, for slides", () => save());
    const range = page.make("input", tools, {
      type: "range",
      id: "dispatch-range",
      min: "0",
      max: String(steps.length),
      value: "0",
      step: "1",
    });
    range.setAttribute("aria-label", "Step");
    const captionText = page.make("p", box, {id: "dispatch-caption"});
    captionText.setAttribute("role", "status");
    // Of a device of many cores those that ever hold something.
    const used = [...new Set(steps.map(({core}) => core))].sort((a, b) => a - b);
    const cores = page.cores <= MAX_CORES ? Array.from({length: page.cores}, (_, core) => core) : used;
    const rows = cores.map((core) => {
      const row = page.make("div", box, {className: "slots"});
      page.make("span", row, {className: "slots-name", textContent: `${words.core} ${core}`});
      const bar = page.make("div", row, {className: "slots-bar"});
      bar.setAttribute("aria-hidden", "true");
      return {core, bar, text: page.make("span", row, {className: "slots-text"}), blocks: new Map()};
    });
    if (cores.length < page.cores)
      page.make("p", box, {
        className: "note",
        textContent: `The other ${page.cores - cores.length} ${words.core}s stay empty.`,
      });

    let at = 0,
      timer = null;
    /// What is on the cores after so many steps.
    const statesAfter = (count) => {
      const states = new Map();
      for (const step of steps.slice(0, count)) {
        if (step.kind === "leaves") states.delete(step.key);
        else states.set(step.key, step);
      }
      return states;
    };
    const wordsFor = (step, before) => caption(step, before, sizes.get(step.whole), words, source.names);
    const draw = () => {
      const states = statesAfter(at),
        last = at > 0 ? steps[at - 1] : null;
      for (const {core, bar, text, blocks} of rows) {
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
      }
      const before = last ? statesAfter(at - 1).get(last.key) : null;
      captionText.textContent = last
        ? `Step ${at} of ${steps.length}, ${page.exactTime(last.time)}: ${wordsFor(last, before)}`
        : `Step 0 of ${steps.length}: every ${words.core} is empty.`;
      range.value = String(at);
      range.setAttribute("aria-valuetext", captionText.textContent);
    };
    const go = (step, isPlaying = false) => {
      if (!isPlaying) stop();
      at = Math.min(Math.max(step, 0), steps.length);
      draw();
      if (at > 0) page.show(steps[at - 1].time);
    };
    const stop = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      play.textContent = "▶ Play";
      play.setAttribute("aria-label", "Play");
      captionText.setAttribute("aria-live", "polite");
    };
    const tick = () => {
      if (at >= steps.length) {
        stop();
        return;
      }
      go(at + 1, true);
      timer = setTimeout(tick, PAUSE / Number(speed.value));
    };
    const start = () => {
      if (at >= steps.length) at = 0;
      play.textContent = "⏸ Pause";
      play.setAttribute("aria-label", "Pause");
      captionText.setAttribute("aria-live", "off"); // too fast to be read aloud
      tick();
    };
    /// A strip of frames, one below the other, each with its caption: as text, so that slides can change it.
    const stripOf = () => {
      const wide = 640,
        name = 90,
        line = 22,
        frame = 34 + rows.length * line;
      const escape = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
      const frames = Array.from({length: steps.length + 1}, (_, count) => {
        const states = [...statesAfter(count).values()];
        const last = count > 0 ? steps[count - 1] : null;
        const said = last
          ? `${page.exactTime(last.time)}: ${wordsFor(last, statesAfter(count - 1).get(last.key))}`
          : `Every ${words.core} is empty.`;
        const bars = cores.map((core, row) => {
          let left = name;
          const y = 26 + row * line;
          const blocks = states
            .filter((state) => state.core === core && state.threads > 0)
            .map((state) => {
              const width = ((wide - name - 10) * state.threads) / perCore,
                x = left;
              left += width;
              const running = state.threads - state.waiting - state.ended;
              return (
                `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${line - 4}"` +
                ` fill="${running === 0 ? "#d55e00" : "#0072b2"}"` +
                ` stroke="#1b1f24"${state.isPartial ? ' stroke-dasharray="3 2"' : ' stroke-width="0.5"'}/>` +
                `<text x="${(x + width / 2).toFixed(1)}" y="${y + 13}" fill="#ffffff" text-anchor="middle">` +
                `${state.group}</text>`
              );
            });
          return (
            `<text x="${name - 6}" y="${y + 13}" text-anchor="end">${escape(words.core)} ${core}</text>` +
            `<rect x="${name}" y="${y}" width="${wide - name - 10}" height="${line - 4}" fill="#f6f8fa"` +
            ` stroke="#d1d9e0"/>${blocks.join("")}`
          );
        });
        return (
          `<g transform="translate(0 ${count * frame})"><text x="6" y="16" font-weight="bold">${count}</text>` +
          `<text x="30" y="16">${escape(said)}</text>${bars.join("")}</g>`
        );
      });
      return (
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${frames.length * frame}"` +
        ' font-family="sans-serif" font-size="11">' +
        `<rect width="100%" height="100%" fill="#ffffff"/>${frames.join("\n")}</svg>\n`
      );
    };
    const save = () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([stripOf()], {type: "image/svg+xml"}));
      link.download = "dispatch.svg";
      link.click();
      URL.revokeObjectURL(link.href);
    };
    range.addEventListener("input", () => go(Number(range.value)));
    draw();
  };

  return {attach};
})();
