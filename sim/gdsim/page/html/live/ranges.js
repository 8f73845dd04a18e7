// The range of time that is selected by a drag, and the sums of what happens in it.
const gdsimRanges = (() => {
  "use strict";
  const MOST_ROWS = 8;

  /// By kernel, the time of launches within the range and their number, most time first.
  const kernelsWithin = (launches, names, low, high) => {
    const sums = names.map((name, kernel) => ({name, kernel, time: 0, launches: 0}));
    for (const {kernel, begin, finish} of launches) {
      if (begin === null || finish <= low || begin >= high) continue;
      sums[kernel].time += Math.min(finish, high) - Math.max(begin, low);
      ++sums[kernel].launches;
    }
    return sums.filter((one) => one.launches > 0).sort((a, b) => b.time - a.time || a.kernel - b.kernel);
  };

  /// Bytes at each level of memory and of copies: what a launch moves is spread evenly over its time.
  const bytesWithin = (launches, traffic, low, high) => {
    const sums = traffic.map(({level}) => ({level, bytes: 0}));
    for (const {i, kernel, begin, finish} of launches) {
      if (begin === null || finish <= low || begin >= high) continue;
      const part = finish > begin ? (Math.min(finish, high) - Math.max(begin, low)) / (finish - begin) : 1;
      traffic.forEach(({by_kernel: byKernel, by_launch: byLaunch}, at) => {
        sums[at].bytes += part * (byKernel?.[kernel] ?? byLaunch?.[i] ?? 0);
      });
    }
    return sums.filter(({bytes}) => bytes > 0);
  };

  const bytesText = (bytes) => {
    const units = ["B", "KB", "MB", "GB", "TB", "PB"];
    let at = 0;
    for (; bytes >= 1000 && at + 1 < units.length; ++at) bytes /= 1000;
    return `${at === 0 ? Math.round(bytes) : bytes.toFixed(bytes < 10 ? 2 : bytes < 100 ? 1 : 0)} ${units[at]}`;
  };

  /// What happens from `low` to `high`.
  const sumsOf = (page, device, lanes, low, high) => {
    const {data} = page;
    const length = high - low;
    const idle = data.device.idle
      ? gdsimPlots.integralOf(device, data.device.idle, low, high)
      : gdsimPlots.integralOf(device, device.mean.map((threads) => (threads === 0 ? 1 : 0)), low, high);
    return {
      length,
      occupancy: (100 * gdsimPlots.integralOf(device, device.mean, low, high)) / (data.contexts * length),
      idle: (100 * idle) / length,
      kernels: lanes ? kernelsWithin(lanes.launches, data.launches.kernels, low, high) : [],
      bytes: lanes ? bytesWithin(lanes.launches, data.launches.traffic ?? [], low, high) : [],
    };
  };

  const attach = (page, lanes) => {
    const device = gdsimPlots.seriesOf(page.data.device, page.end);
    const panel = page.make("section", document.body, {id: "range", hidden: true});
    panel.setAttribute("aria-label", "Selected range");
    const facts = page.make("p", panel, {className: "facts"});
    const list = page.make("ol", panel);
    const time = (ns) => page.roundTime(ns);

    const fact = (name, value, field) => {
      const entry = page.make("span", facts, {textContent: `${name} `});
      page.make("b", entry, {textContent: value}).dataset.sum = field;
    };
    const write = ({low, high}) => {
      const sums = sumsOf(page, device, lanes, low, high);
      facts.replaceChildren();
      fact("Selected", time(sums.length), "length");
      fact("from", time(low), "from");
      fact("to", time(high), "to");
      fact("mean occupancy", `${sums.occupancy.toFixed(1)} %`, "occupancy");
      fact(`no ${page.words.thread} resident`, `${sums.idle.toFixed(1)} %`, "idle");
      for (const {level, bytes} of sums.bytes) fact(level, bytesText(bytes), `bytes ${level}`);
      for (const [id, text, action] of [
        ["range-zoom", "Zoom to it", () => page.zoom(low, high)],
        ["range-clear", "Clear", () => page.setRange(null)],
      ])
        page.make("button", facts, {type: "button", id, textContent: text, onclick: action});
      writeKernels(sums);
    };
    const writeKernels = ({kernels, length}) => {
      list.replaceChildren();
      const most = kernels[0]?.time ?? 0;
      for (const {name, kernel, time: sum, launches} of kernels.slice(0, MOST_ROWS)) {
        const row = page.make("li", list);
        const bar = page.make("i", row);
        gdsimLanes.paintChip(bar, lanes.colours[kernel]);
        bar.style.setProperty("--share", most > 0 ? String(sum / most) : "0");
        page.make("bdi", row, {textContent: name});
        page.make("span", row, {
          textContent: `${time(sum)} · ${((100 * sum) / length).toFixed(1)} % of it · ${launches} ${launches === 1 ? "launch" : "launches"}`,
        });
      }
      if (kernels.length > MOST_ROWS) page.make("li", list, {textContent: `and ${kernels.length - MOST_ROWS} more kernels`});
      const {launches} = page.data;
      if (launches && launches.name.length < launches.total)
        page.make("li", list, {textContent: `of the ${launches.name.length} launches listed, of ${launches.total}`});
    };

    page.sums = () => page.range && sumsOf(page, device, lanes, page.range.low, page.range.high);
    page.onRange((range) => {
      panel.hidden = range === null;
      document.body.classList.toggle("has-range", range !== null);
      if (range) write(range);
    });
  };

  return {attach};
})();
