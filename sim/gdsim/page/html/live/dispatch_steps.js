// The steps of dispatch of a small run: what each core holds after each of them, and each in words.
const gdsimDispatchSteps = (() => {
  "use strict";
  const COLUMNS = 11,
    MAX_STEPS = 600,
    MAX_CORES = 32,
    MAX_PORTS = 256,
    FIRST_PORT = 2;
  const NOTHING = {threads: 0, waiting: 0, ended: 0, port: 0, isPartial: false};
  const KINDS = ["comes", "changes", "leaves"];
  const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

  /// One step for each change. Those of one instant are numbered by `ordinal`. `placed` and `freed` threads changed what
  /// the work-group holds on the core: of one that is filled while others of it end, the size says how many.
  const stepsOf = (flat, start) => {
    const steps = [],
      latest = new Map(),
      coreOf = new Map(),
      onSeveral = new Set();
    for (let i = 0; i < flat.length; i += COLUMNS) {
      const [after, kind, launch, group, core, threads, waiting, ended, partial, held, size] = flat.slice(i, i + COLUMNS);
      const last = steps.at(-1);
      const whole = `${launch}/${group}`,
        key = `${whole}/${core}`;
      const before = KINDS[kind] === "comes" ? null : latest.get(key);
      const gained = threads - (before?.threads ?? 0);
      const isFilled = before?.isPartial && partial === 0 && size > 0 && !onSeveral.has(whole);
      const placed = isFilled ? size - before.placedInAll : Math.max(gained, 0);
      const step = {
        time: start + after / 1000,
        after,
        ordinal: last?.after === after ? last.ordinal + 1 : 0,
        kind: KINDS[kind],
        launch,
        group,
        core,
        threads,
        waiting,
        ended,
        isPartial: partial === 1,
        isHandedOver: held === 1,
        port: held >= FIRST_PORT ? held - FIRST_PORT + 1 : 0,
        size,
        placed,
        freed: placed - gained,
        placedInAll: (before?.placedInAll ?? 0) + placed,
        key,
        whole,
      };
      if (coreOf.has(whole) && coreOf.get(whole) !== core) onSeveral.add(whole);
      coreOf.set(whole, core);
      latest.set(key, step);
      steps.push(step);
    }
    return steps;
  };

  /// All threads of each work-group; if not known, the most that it ever has on all cores together.
  const sizesOf = (steps) => {
    const now = new Map(),
      sizes = new Map();
    for (const step of steps) {
      const parts = now.get(step.whole) ?? new Map();
      now.set(step.whole, parts.set(step.core, step.kind === "leaves" ? 0 : step.threads));
      const sum = [...parts.values()].reduce((a, b) => a + b, 0);
      const before = sizes.get(step.whole);
      sizes.set(step.whole, {
        threads: step.size > 0 ? step.size : Math.max(before?.threads ?? 0, sum),
        isKnown: before?.isKnown || !step.isPartial || step.size > 0,
      });
    }
    return sizes;
  };

  /// The animated run of a page's data, or null if it has none that can be read.
  const runOf = (data, title) => {
    const flat = data?.groups?.changes;
    const cores = data?.heat?.cores ?? Object.keys(data ?? {}).filter((name) => name.startsWith("core-")).length;
    const {names, ports, exchanges} = data?.groups ?? {};
    const words = ["thread", "work_group", "core"].every((name) => typeof data?.words?.[name] === "string");
    if (!Array.isArray(flat) || flat.length % COLUMNS !== 0 || flat.length > MAX_STEPS * COLUMNS || !words) return null;
    if (!flat.every(isCount) || !isCount(cores) || !(Number(data.per_core) > 0) || !Array.isArray(names)) return null;
    const steps = stepsOf(flat, Number(data.start));
    const used = [...new Set(steps.map(({core}) => core))].sort((a, b) => a - b);
    if (cores > MAX_CORES && used.length > MAX_CORES) return null;
    return {
      title,
      steps,
      words: data.words,
      names: names.map((name) => String(name).slice(0, 80)),
      exchanges: new Set(Array.isArray(exchanges) ? exchanges : []),
      sizes: sizesOf(steps),
      perCore: Number(data.per_core),
      ports: isCount(ports) && ports <= MAX_PORTS ? ports : null,
      // Of a device of many cores those that ever hold something.
      shown: cores <= MAX_CORES ? Array.from({length: cores}, (_, core) => core) : used,
      cores,
    };
  };

  /// What is on the cores after so many steps.
  const statesAfter = (run, count) => {
    const states = new Map();
    for (const step of run.steps.slice(0, count)) {
      if (step.kind === "leaves") states.delete(step.key);
      else states.set(step.key, step);
    }
    return states;
  };

  /// Which work-group holds each port.
  const portsAfter = (run, count) => {
    const held = Array.from({length: run.ports ?? 0}, () => null);
    for (const state of statesAfter(run, count).values()) if (state.port > 0) held[state.port - 1] = state;
    return held;
  };

  const counted = (run, number) => `${number} ${run.words.thread}${number === 1 ? "" : "s"}`;
  const nameOf = (run, step) =>
    `${run.words.work_group} ${step.group}${run.names.length > 1 ? ` of ${run.names[step.launch] ?? step.launch}` : ""}`;

  /// Where the threads that have no context yet are kept.
  const keptAt = (run, step, count) => {
    if (step.isHandedOver) return `; it is handed over to the ${run.words.core}, which places the others later`;
    if (step.port === 0) return "; the others wait for free contexts";
    const isLast = run.ports !== null && portsAfter(run, count).every((state) => state !== null);
    return `; it holds port ${step.port} until the others are placed${isLast ? `, and no port is free for another ${run.words.work_group}` : ""}`;
  };

  /// Step `number`, from 1, in words.
  const caption = (run, number) => {
    const step = run.steps[number - 1],
      before = statesAfter(run, number - 1).get(step.key) ?? NOTHING,
      size = run.sizes.get(step.whole),
      count = (threads) => counted(run, threads),
      where = `${run.words.core} ${step.core}`,
      begin = nameOf(run, step).replace(/^./, (letter) => letter.toUpperCase()),
      isExchange = run.exchanges.has(step.launch),
      wait = isExchange ? "wait for the exchange with other devices" : "wait at a barrier",
      freed = before.port > 0 && step.port === 0 ? [`port ${before.port} is free`] : [];
    if (step.kind === "leaves")
      return `${begin} leaves ${where}: ${[`${count(before.threads)} free their contexts`, ...freed].join("; ")}.`;
    if (step.kind === "comes") {
      if (!step.isPartial && step.threads === size.threads)
        return `${begin}: all ${count(step.threads)} are placed on ${where}.`;
      const whole = size.isKnown ? count(size.threads) : `its ${run.words.thread}s`;
      const state = step.waiting > 0 ? ` and ${wait}` : "";
      const kept = step.isPartial ? keptAt(run, step, number) : "";
      return `${begin}: ${step.threads} of ${whole} are placed on ${where}${state}${kept}.`;
    }
    const parts = [];
    if (step.freed > 0) parts.push(`${count(step.freed)} have ended and free their contexts`);
    if (step.placed > 0) parts.push(`${count(step.placed)} more are placed on ${where}`);
    if (before.isPartial && !step.isPartial) parts.push(`all of its ${run.words.thread}s are placed now`, ...freed);
    if (step.waiting > before.waiting) parts.push(`${count(step.waiting - before.waiting)} ${wait}`);
    if (step.waiting < before.waiting)
      parts.push(`${isExchange ? "the exchange ends" : "the barrier opens"}, and ${count(before.waiting - step.waiting)} go on`);
    if (step.ended > before.ended)
      parts.push(`${count(step.ended - before.ended)} have ended, and hold their contexts until the others end`);
    return `${begin} on ${where}: ${parts.join("; ") || "another part of it changes"}.`;
  };

  /// Of runs side by side: one frame for each instant and ordinal at which one of them has a step, each with how many
  /// steps of every run have passed. Instants count from the first dispatch of each run.
  const framesOf = (runs) => {
    const keys = new Map();
    for (const {steps} of runs) for (const {after, ordinal} of steps) keys.set(`${after}/${ordinal}`, {after, ordinal});
    const sorted = [...keys.values()].sort((a, b) => a.after - b.after || a.ordinal - b.ordinal);
    const passed = runs.map(() => 0);
    const frames = [{after: 0, passed: [...passed], isStep: runs.map(() => false)}];
    for (const {after, ordinal} of sorted) {
      const isStep = runs.map(({steps}, i) => {
        const next = steps[passed[i]];
        if (next?.after !== after || next.ordinal !== ordinal) return false;
        ++passed[i];
        return true;
      });
      frames.push({after, passed: [...passed], isStep});
    }
    return frames;
  };

  return {runOf, statesAfter, portsAfter, nameOf, caption, framesOf, MAX_STEPS, MAX_CORES};
})();
