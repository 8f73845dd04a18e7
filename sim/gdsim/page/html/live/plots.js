// Threads over time: exact steps, or bins with their least and most. What falls into one column of pixels is drawn as
// what the column holds at least, on average and at most, as profilers draw it.
const gdsimPlots = (() => {
  "use strict";

  /// A series of a page: from `times[i]` on it holds `mean[i]` on average, never less than `low[i]` nor more than `high[i]`.
  const seriesOf = (source, end) => ({
    times: source.time.map(Number),
    end,
    mean: source.resident,
    running: source.running ?? source.resident,
    low: source.min ?? source.resident,
    high: source.max ?? source.resident,
    isBinned: source.binned === true,
  });

  /// The last row of `times` that is not after `time`; -1 before the first.
  const rowAt = (times, time) => {
    let low = 0,
      high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };

  /// What `count` equal parts of `from` to `to` hold. A part in which the value steps once holds what its middle holds:
  /// its neighbours show both values.
  const columnsOf = (series, from, to, count) => {
    const {times, end} = series;
    const columns = [];
    let row = Math.max(rowAt(times, from), 0);
    for (let i = 0; i < count; ++i) {
      const begin = from + ((to - from) * i) / count,
        stop = from + ((to - from) * (i + 1)) / count;
      while (row + 1 < times.length && times[row + 1] <= begin) ++row;
      let last = row;
      while (last + 1 < times.length && times[last + 1] < stop) ++last;
      if (last - row <= 1) {
        const at = last > row && times[last] <= (begin + stop) / 2 ? last : row;
        columns.push({low: series.low[at], mean: series.mean[at], high: series.high[at], running: series.running[at]});
        continue;
      }
      const column = {low: Infinity, mean: 0, high: 0, running: 0};
      for (let at = row; at <= last; ++at) {
        const part =
          (Math.min(at + 1 < times.length ? times[at + 1] : end, stop) - Math.max(times[at], begin)) / (stop - begin);
        column.low = Math.min(column.low, series.low[at]);
        column.high = Math.max(column.high, series.high[at]);
        column.mean += series.mean[at] * part;
        column.running += series.running[at] * part;
      }
      columns.push(column);
      row = last;
    }
    return columns;
  };

  /// The integrals of `values` over `from` to `to`, and the time in which `high` is 0.
  const integralOf = (series, values, from, to) => {
    const {times, end} = series;
    let sum = 0;
    for (let row = Math.max(rowAt(times, from), 0); row < times.length && times[row] < to; ++row) {
      const stop = Math.min(row + 1 < times.length ? times[row + 1] : end, to);
      sum += values[row] * Math.max(stop - Math.max(times[row], from), 0);
    }
    return sum;
  };

  const stripes = (page, context) => {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const pattern = tile.getContext("2d");
    pattern.fillStyle = page.css("--wait-soft");
    pattern.fillRect(0, 0, 6, 6);
    pattern.fillStyle = page.css("--wait");
    pattern.fillRect(0, 0, 6, 3);
    return context.createPattern(tile, "repeat");
  };

  /// Fills columns from one level to another, `y` pixels above the floor.
  const fill = (context, columns, step, colour, between) => {
    context.fillStyle = colour;
    for (let i = 0; i < columns.length; ) {
      const [top, bottom] = between(columns[i]);
      let next = i + 1;
      for (; next < columns.length; ++next) {
        const [nextTop, nextBottom] = between(columns[next]);
        if (nextTop !== top || nextBottom !== bottom) break;
      }
      if (bottom > top) context.fillRect(i * step, top, (next - i) * step, bottom - top);
      i = next;
    }
  };

  /// A line along the values of columns that hold a single one, or along the most of those that hold several.
  const outline = (context, columns, step, y, most) => {
    context.beginPath();
    let before = null;
    columns.forEach((column, i) => {
      const level = (column.low === column.high) === (most === undefined) ? y(column.high) : null;
      if (level !== null) {
        if (before === null) context.moveTo(i * step, level);
        else context.lineTo(i * step, level);
        context.lineTo((i + 1) * step, level);
      }
      before = level;
    });
    context.stroke();
  };

  /// Draws threads: what runs, what is stalled, and where a column of pixels holds several values, their range.
  const draw = (page, context, series, {width, height, top}) => {
    const ratio = window.devicePixelRatio || 1;
    const count = Math.max(Math.round(width * ratio), 1),
      step = width / count;
    const y = (threads) => height - (Math.min(threads, top) / top) * height;
    const columns = columnsOf(series, page.from, page.to, count);
    fill(context, columns, step, page.css("--most"), ({mean, high}) => [y(high), y(mean)]);
    fill(context, columns, step, page.css("--often"), ({low, mean}) => [y(mean), y(low)]);
    fill(context, columns, step, stripes(page, context), ({low, running}) => [y(low), y(Math.min(running, low))]);
    fill(context, columns, step, page.css("--run"), ({low, running}) => [y(Math.min(running, low)), height]);
    context.strokeStyle = page.css("--ink");
    context.lineWidth = 1.4;
    outline(context, columns, step, y);
    context.strokeStyle = page.css("--run");
    context.lineWidth = 1;
    outline(context, columns, step, y, "high");
    return columns.some(({low, high}) => low !== high);
  };

  const dashedLine = (context, colour, dash, draw) => {
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.beginPath();
    draw();
    context.stroke();
    context.setLineDash([]);
  };

  /// The lines of the picture that a plot stands for: its grid, and the changes of the clock.
  const linesOf = (svg, timeOf) => {
    const heights = (selector) =>
      [...(svg.querySelector(selector)?.getAttribute("d") ?? "").matchAll(/M0 (\d+)/g)].map((match) => Number(match[1]));
    const clocks = [...(svg.querySelector(".clock")?.getAttribute("d") ?? "").matchAll(/M(\d+) /g)].map((match) =>
      timeOf(Number(match[1])),
    );
    return {grid: heights(".grid"), otherGrid: heights(".other-grid"), clocks};
  };

  /// The legend explains ranges wherever one of the plots below it has some.
  const ranged = new Set();
  const explainRanges = (area, hasRanges) => {
    if (hasRanges) ranged.add(area);
    else ranged.delete(area);
    for (const sample of document.querySelectorAll(".legend .often, .legend .most"))
      sample.parentElement.hidden = ranged.size === 0;
  };

  /// What draws the threads of a series.
  const painterOf = (page, area, source) => {
    const series = seriesOf(source, page.end);
    return (context, box) => explainRanges(area, draw(page, context, series, box));
  };

  /// Puts a live plot over a picture. `capacity` is what could be held; the axis ends at top(). `paint` draws what lies
  /// between the grid and the lines on top.
  const attach = (page, area, paint, {capacity, top}) => {
    const svg = area.querySelector("svg"),
      box = svg.viewBox.baseVal;
    const bottom = box.y + box.height,
      cut = Number(area.dataset.cut ?? box.y);
    const lines = linesOf(svg, page.timeOf);
    const canvas = page.make("canvas", area, {className: "curve"});
    canvas.setAttribute("aria-hidden", "true");
    area.classList.add("live");
    page.onDraw(() => {
      const {context, width, height} = gdsimCanvas.prepare(page, {area, canvas});
      if (width === 0) return;
      const isWhole = top() >= capacity,
        first = isWhole ? 0 : cut;
      context.fillStyle = page.css("--line");
      for (const line of isWhole === (page.data.scale !== "fits") || lines.otherGrid.length === 0 ? lines.grid : lines.otherGrid)
        context.fillRect(0, Math.round((height * (line - first)) / (bottom - first)), width, 1);
      paint(context, {width, height, top: top()});
      const x = (time) => ((time - page.from) / (page.to - page.from)) * width;
      if (isWhole)
        dashedLine(context, page.css("--capacity"), [7, 4], () => {
          context.moveTo(0, 1);
          context.lineTo(width, 1);
        });
      dashedLine(context, page.css("--ink"), [2, 3], () => {
        for (const time of lines.clocks) {
          context.moveTo(x(time), 0);
          context.lineTo(x(time), height);
        }
      });
    });
  };

  return {attach, painterOf, draw, stripes, seriesOf, columnsOf, integralOf, rowAt};
})();
