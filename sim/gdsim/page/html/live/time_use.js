// Where the time of threads goes: areas on each other, each with its colour and its hatching, and bars above them.
const gdsimTimeUse = (() => {
  "use strict";
  const BAR = 0.04; // of the height, as in the picture

  /// The pattern that the legend shows for a style; its plain colour if it has none.
  const patternOf = (page, context, style) => {
    if (style === "t-barrier") return gdsimPlots.stripes(page, context);
    const pattern = document.getElementById(`hatch-${style}`);
    if (!pattern) return page.css(style === "t-run" ? "--run" : `--${style}`);
    const tile = document.createElement("canvas");
    tile.width = Number(pattern.getAttribute("width"));
    tile.height = Number(pattern.getAttribute("height"));
    const pen = tile.getContext("2d");
    pen.fillStyle = page.css(`--${style}`);
    pen.fillRect(0, 0, tile.width, tile.height);
    pen.globalAlpha = 0.6;
    pen.fillStyle = page.css("--page");
    pen.fill(new Path2D(pattern.querySelector(".hatch").getAttribute("d")));
    return context.createPattern(tile, "repeat");
  };

  /// Returns what draws the areas and bars of the visible range.
  const painterOf = (page) => {
    const {time, columns, bars} = page.data.time_use;
    const times = time.map(Number);
    /// The means of each column in `count` equal parts of the visible range.
    const meansOf = (count) => {
      const parts = [];
      let row = Math.max(gdsimPlots.rowAt(times, page.from), 0);
      for (let i = 0; i < count; ++i) {
        const begin = page.from + ((page.to - page.from) * i) / count,
          stop = page.from + ((page.to - page.from) * (i + 1)) / count;
        while (row + 1 < times.length && times[row + 1] <= begin) ++row;
        const sums = columns.map(() => 0);
        for (let at = row; at < times.length && times[at] < stop; ++at) {
          const until = at + 1 < times.length ? times[at + 1] : page.end;
          const share = (Math.min(until, stop) - Math.max(times[at], begin)) / (stop - begin);
          columns.forEach(({means}, column) => {
            sums[column] += (means[at] / 1e4) * Math.max(share, 0);
          });
        }
        parts.push(sums);
      }
      return parts;
    };

    const drawAreas = (context, {width, height, top}) => {
      const count = Math.max(Math.round(width), 1);
      const parts = meansOf(count);
      const floors = parts.map(() => 0);
      columns.forEach(({style}, column) => {
        context.fillStyle = patternOf(page, context, style);
        for (let i = 0; i < count; ) {
          const low = floors[i],
            high = low + parts[i][column];
          let next = i;
          for (; next < count && floors[next] === low && low + parts[next][column] === high; ++next) floors[next] = high;
          const y = (threads) => height - (Math.min(threads, top) / top) * height;
          if (high > low) context.fillRect((i * width) / count, y(high), ((next - i) * width) / count, y(low) - y(high));
          i = next;
        }
      });
    };

    const drawBars = (context, {width, height}) => {
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      bars.forEach(({style, on}, line) => {
        context.fillStyle = page.css(`--${style}`);
        on.forEach((isOn, row) => {
          const begin = Math.max(times[row], page.from),
            stop = Math.min(row + 1 < times.length ? times[row + 1] : page.end, page.to);
          if (isOn && begin < stop)
            context.fillRect(x(begin), line * BAR * height, Math.max(x(stop) - x(begin), 1), BAR * height);
        });
      });
    };

    return (context, box) => {
      drawAreas(context, box);
      drawBars(context, box);
    };
  };

  return {painterOf};
})();
