// Makes the figures of the page interactive: one zoom for all of them, one selected range, exact values under the pointer.
(() => {
  "use strict";
  if (!document.getElementById("data")) return;  // the case that is shown took no time
  const data = JSON.parse(document.getElementById("data").textContent);
  const WIDTH = document.querySelector(".area svg").viewBox.baseVal.width;
  // Browsers draw with 24 bits: in a window of fewer units, edges would be visibly off their place.
  const MIN_WIDTH = 500;
  const start = Number(data.start), end = Number(data.end);
  const words = data.words;
  let from = start, to = end, range = null;
  // Axes of threads show the whole device, or end above what is held.
  let isWholeDevice = data.scale !== "fits";
  let shown = null;

  // On paper everything is drawn in the colours of the light page.
  let isOnPaper = false;
  const lightColours = [...document.querySelector("style").sheet.cssRules]
    .find((rule) => rule.selectorText === ":root" && rule.style.getPropertyValue("--ink")).style;
  let colours = new Map();
  const css = (name) => {
    if (!colours.has(name))
      colours.set(name, (isOnPaper ? lightColours : getComputedStyle(document.documentElement)).getPropertyValue(name).trim());
    return colours.get(name);
  };
  const timeOf = (unit) => start + (end - start) * unit / WIDTH;
  const share = (time) => (time - from) / (to - from);
  const make = (name, parent, attributes = {}) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element[key] = value;
    parent.append(element);
    return element;
  };

  const drawn = [];  // draws a canvas anew
  const watchers = [];  // of the instant under the pointer
  const rangeWatchers = [], selectWatchers = [];
  const pictures = [];
  const pointers = [];
  const redraw = () => { for (const draw of drawn) draw(); };

  // ---- The pointer: a line at its time, a range by dragging, another part of the run by dragging with Shift.
  const addPointer = (area, rowUnder = () => undefined) => {
    const cursor = make("div", area, {className: "cursor"});
    const picked = make("div", area, {className: "picked"});
    const timeUnder = (event) => {
      const box = area.getBoundingClientRect();
      return from + (to - from) * Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    };
    // The end of a drag is no click.
    let begun = null, wasDragged = false;
    area.addEventListener("click", (event) => {
      if (wasDragged) event.stopImmediatePropagation();
      wasDragged = false;
    }, true);
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      wasDragged = false;
      begun = {at: timeUnder(event), x: event.clientX, isMove: event.shiftKey};
    });
    area.addEventListener("pointermove", (event) => {
      const now = timeUnder(event);
      show(now, area, rowUnder(event));
      if (begun === null || Math.abs(event.clientX - begun.x) < 4 && !wasDragged) return;
      wasDragged = true;
      area.setPointerCapture(event.pointerId);
      if (begun.isMove) move(begun.at - now);
      else setRange({low: Math.min(begun.at, now), high: Math.max(begun.at, now)});
    });
    area.addEventListener("pointerup", () => { begun = null; });
    area.addEventListener("pointercancel", () => { begun = null; wasDragged = false; });
    area.addEventListener("pointerleave", () => show(null, area));
    area.addEventListener("dblclick", () => zoom(start, end));
    addWheel(area, timeUnder, false);
    pointers.push({cursor, picked});
  };
  /// Ctrl and the wheel zoom, Shift and the wheel move; alone the wheel scrolls the page, except over the overview.
  const addWheel = (area, timeUnder, zoomsAlone) =>
    area.addEventListener("wheel", (event) => {
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const zooms = event.ctrlKey || event.metaKey || zoomsAlone && !isSideways;
      if (!zooms && !isSideways) return;
      event.preventDefault();
      if (zooms) scale(Math.exp(Math.min(Math.max(event.deltaY, -200), 200) / 300), timeUnder(event));
      else move((to - from) * (event.deltaX || event.deltaY) / 1000);
    }, {passive: false});

  const addPicture = (area) => {
    const svg = area.querySelector("svg");
    const {y, height} = svg.viewBox.baseVal, cut = Number(area.dataset.cut ?? y), bottom = y + height;
    pictures.push({svg, cut, bottom});
  };
  const addArea = (area) => {
    const name = area.dataset.series, source = name && data[name];
    const deviceAxis = {capacity: data.contexts, top: () => isWholeDevice ? data.contexts : data.shown};
    if (name === "time_use") gdsimPlots.attach(page, area, gdsimTimeUse.painterOf(page), deviceAxis);
    else if (source?.resident)
      gdsimPlots.attach(page, area, gdsimPlots.painterOf(page, area, source),
        name === "device" ? deviceAxis : {capacity: data.per_core, top: () => data.per_core});
    else addPicture(area);
    addPointer(area, (event) => {
      if (name !== "heat") return undefined;
      const box = area.getBoundingClientRect();
      return Math.min(Math.max(Math.floor((event.clientY - box.top) / box.height * data.heat.rows), 0), data.heat.rows - 1);
    });
  };

  // ---- The zoom.
  const areas = document.getElementsByClassName("area");
  const drawAxes = () => {
    const axes = document.querySelectorAll("figure:not(#run-bands) .time");
    const area = [...areas].find(({clientWidth}) => clientWidth > 0);
    if (!area || axes.length === 0) return;
    const fontSize = parseFloat(getComputedStyle(axes[0]).fontSize);
    const ticks = gdsimTimes.ticksWithin(from, to, area.clientWidth, fontSize);
    for (const axis of axes) {
      if (!axis.dataset.has && axis.childElementCount === 0) continue;  // the lanes above another share its axis
      axis.dataset.has = "1";
      axis.replaceChildren(...ticks.map(({at, label}) => {
        const span = document.createElement("span");
        span.style.left = `${100 * share(at)}%`;
        span.textContent = label;
        return span;
      }));
    }
  };
  /// Phases in sight, if there is room for their names.
  const MARK_ROOM = 2.3, KIND_ROOM = 4.4;
  const placeMarks = () => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    for (const holder of document.querySelectorAll(".marks")) {
      const width = holder.clientWidth;
      for (const mark of holder.children) {
        const begin = Math.max(share(timeOf(mark.dataset.from)), 0), stop = Math.min(share(timeOf(mark.dataset.to)), 1);
        mark.hidden = (stop - begin) * width < rem * (mark.classList.contains("kind") ? KIND_ROOM : MARK_ROOM) + 2;
        mark.style.left = `${100 * begin}%`;
        mark.style.width = `${100 * (stop - begin)}%`;
      }
    }
  };
  const placeRange = () => {
    const low = range && Math.max(share(range.low), 0), high = range && Math.min(share(range.high), 1);
    for (const {picked} of pointers) {
      picked.style.display = range && low < high ? "block" : "none";
      if (!range) continue;
      picked.style.left = `${100 * low}%`;
      picked.style.width = `${100 * (high - low)}%`;
    }
  };

  const minSpan = (end - start) * MIN_WIDTH / WIDTH;
  const zoom = (low, high) => {
    if (high - low < minSpan) {
      low = Math.min(Math.max((low + high - minSpan) / 2, start), end - minSpan);
      high = low + minSpan;
    }
    from = Math.max(low, start);
    to = Math.min(high, end);
    const left = WIDTH * (from - start) / (end - start), width = WIDTH * (to - from) / (end - start);
    for (const {svg, cut, bottom} of pictures) {
      const top = isWholeDevice ? 0 : cut;
      svg.setAttribute("viewBox", `${left} ${top} ${width} ${bottom - top}`);
    }
    drawAxes();
    placeMarks();
    placeRange();
    redraw();
    show(shown, null);
  };
  /// Another part of the run, as long.
  const move = (by) => {
    const possible = Math.min(Math.max(by, start - from), end - to);
    if (possible !== 0) zoom(from + possible, to + possible);
  };
  const scale = (wanted, at = shown) => {
    const factor = Math.max(wanted, minSpan / (to - from));
    const middle = at !== null && at > from && at < to ? at : (from + to) / 2;
    zoom(middle - (middle - from) * factor, middle + (to - middle) * factor);
  };
  const setRange = (wanted) => {
    range = wanted && {low: Math.max(wanted.low, start), high: Math.min(wanted.high, end)};
    if (range && range.high <= range.low) range = null;
    placeRange();
    for (const watch of rangeWatchers) watch(range);
  };

  // ---- The values under the pointer.
  let lanes = null;
  const show = (time, area, heatRow) => {
    shown = time;
    const isInside = time !== null && time >= from && time <= to;
    for (const {cursor} of pointers) {
      cursor.style.display = isInside ? "block" : "none";
      if (isInside) cursor.style.left = `${100 * share(time)}%`;
    }
    write(time, area, heatRow, lanes);
    for (const watch of watchers) watch();
  };
  const deviceTimes = data.device.time.map(Number);
  const go = (direction) => {
    const row = shown === null ? (direction > 0 ? -1 : deviceTimes.length) : gdsimPlots.rowAt(deviceTimes, shown);
    const next = Math.min(Math.max(row + direction, 0), deviceTimes.length - 1);
    if (deviceTimes[next] < from || deviceTimes[next] > to) zoom(start, end);
    show(deviceTimes[next], null);
    announce(readout.textContent);
  };

  // ---- Controls.
  const controls = document.getElementById("controls");
  const row = make("div", controls, {className: "row"});
  for (const [label, name, action] of [
    ["Whole run", "whole", () => zoom(start, end)], ["Zoom in", "in", () => scale(0.5)],
    ["Zoom out", "out", () => scale(2)], ["◀ Previous change", "previous", () => go(-1)],
    ["Next change ▶", "next", () => go(1)]])
    make("button", row, {type: "button", textContent: label, id: `go-${name}`, onclick: action});
  const scaleFigures = () => {
    for (const axis of document.querySelectorAll("figure:not(#run-bands) [data-scale]"))
      axis.hidden = (axis.dataset.scale === "device") !== isWholeDevice;
  };
  if (data.shown !== undefined) {
    const button = make("button", row, {type: "button", textContent: "Enlarge what is held", id: "go-scale"});
    button.setAttribute("aria-pressed", String(!isWholeDevice));
    button.onclick = () => {
      isWholeDevice = !isWholeDevice;
      button.setAttribute("aria-pressed", String(!isWholeDevice));
      scaleFigures();
      zoom(from, to);
      announce(isWholeDevice ? "Axes show the whole device" : "Axes end above what is held");
    };
  }
  const announce = gdsimSelection.makeStatus(controls);

  /// What the figures that are drawn here share with the others.
  const page = {
    data, start, end, words, css, make, timeOf, announce, addPointer, addWheel,
    title: document.getElementById("case")?.dataset.case ?? document.querySelector("h1").textContent,
    zoom: (low, high) => zoom(low, high), move, setRange,
    unitOf: (time) => WIDTH * (time - start) / (end - start),
    cores: data.heat?.cores ?? Object.keys(data).filter((name) => name.startsWith("core-")).length,
    coreName: (core) => data.core_names?.[core] ?? `${words.core} ${core}`,
    exactTime: (ns) => gdsimTimes.exact(Math.max(ns, 0).toFixed(3)),
    roundTime: (ns) => gdsimTimes.rounded(Math.max(ns, 0)),
    get from() { return from; }, get to() { return to; }, get shown() { return shown; }, get range() { return range; },
    show: (time) => show(time, null),
    selected: () => { for (const watch of selectWatchers) watch(); },
    onDraw: (draw) => drawn.push(draw),
    onShow: (watch) => watchers.push(watch),
    onRange: (watch) => rangeWatchers.push(watch),
    onSelect: (watch) => selectWatchers.push(watch),
  };
  gdsimMinimap.attach(page, controls);
  const readout = make("p", controls, {id: "readout"});
  readout.setAttribute("aria-live", "off");
  const write = gdsimReadout.make(page, readout);
  controls.hidden = false;
  document.documentElement.classList.add("scripted");
  for (const element of document.querySelectorAll("[data-from]")) {
    const isRow = element.localName === "tr";
    const name = element.dataset.name ?? (isRow ? `phase ${element.cells[0].textContent}` : `phase: ${element.title}`);
    const zoomHere = () => {
      zoom(timeOf(element.dataset.from), timeOf(element.dataset.to));
      announce(`Zoomed to ${name}`);
    };
    (isRow ? gdsimSelection.makeRowButton : gdsimSelection.makeButton)(element, `Zoom to ${name}`, zoomHere);
  }

  for (const area of document.querySelectorAll(".area"))
    if (area.dataset.series !== "none") addArea(area);  // the others have a time axis of their own
  lanes = gdsimLanes.attach(page);
  const kernelColours = lanes?.colours ?? [];
  const shownLaunch = new Map((data.launches?.number ?? []).map((number, i) => [number, i]));
  const kernelOf = (launch) => data.launches.kernel[shownLaunch.get(launch)];
  page.colourOf = (launch) => kernelColours[kernelOf(launch)]?.variable ?? "--run";
  page.launchName = (launch) => data.launches.name[shownLaunch.get(launch)] ?? `launch ${launch}`;
  gdsimGroups.attach(page);
  gdsimTiles.attach(page);
  const others = gdsimOtherRuns.make(page);
  gdsimDispatch.attach(page, others);
  for (const table of document.querySelectorAll("table[id]:has([data-value])")) gdsimSorting.attach(table, announce);
  for (const row of document.querySelectorAll("tr[data-kernel]")) {
    const kernel = data.launches.kernel_numbers.indexOf(Number(row.dataset.kernel));
    if (!lanes || kernel < 0) continue;
    gdsimSelection.makeRowButton(row, `Show launches of ${row.cells[0].textContent} only, or all`,
      () => lanes.showKernel(kernel));
    const chip = document.createElement("i");
    gdsimLanes.paintChip(chip, kernelColours[kernel]);
    row.cells[0].prepend(chip);
  }
  gdsimBeside.attach(page, document.querySelector("main"), document.querySelector("main > :last-child"), others);
  others.begin();
  const search = gdsimSearch.attach(page, row, lanes);
  gdsimRanges.attach(page, lanes);
  gdsimTracks.attach(page, redraw);
  gdsimKeys.attach(page, row, {
    in: () => scale(0.5), out: () => scale(2), left: () => move((from - to) / 4), right: () => move((to - from) / 4),
    whole: () => zoom(start, end), next: () => go(1), previous: () => go(-1), search: () => search.focus(),
    mark: () => setRange(lanes?.selectedSpan() ?? {low: from, high: to}),
    fit: () => {
      const span = range ?? lanes?.selectedSpan();
      if (span) zoom(span.low, span.high);
    },
    clear: () => setRange(null),
  });
  new ResizeObserver(() => {
    drawAxes();
    placeMarks();
    redraw();
  }).observe(document.querySelector("main"));
  const recolour = () => {
    colours = new Map();
    redraw();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  // On paper nothing can be opened.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
    isOnPaper = true;
    recolour();
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
    isOnPaper = false;
    recolour();
  });
  zoom(start, end);
  gdsimAddress.attach(page, lanes);
  globalThis.gdsimRun = page;  // for the script of a page that is served
})();
