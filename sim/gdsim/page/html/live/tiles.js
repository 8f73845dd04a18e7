// The tiles of work-groups: which one is under the pointer, and who has none left.
const gdsimTiles = (() => {
  "use strict";

  const attach = (page) => {
    const source = page.data.tiles;
    const figure = document.getElementById("tiles");
    if (!source || !figure) return;
    const area = figure.querySelector(".area");
    const {words} = page;
    const at = (picoseconds) => page.start + picoseconds / 1000;
    let next = 0;
    const takers = source.row.map((row, i) => {
      const taker = {
        row,
        name: `${words.work_group} ${source.group[i]} of ${page.launchName(source.launch[i])}, ${page.coreName(source.core[i])}`,
        count: source.count[i],
        begin: at(source.begin[i]),
        end: at(source.end[i]),
        lines: source.lines[i],
        idleFrom: at(source.idle_from[i]),
        idleUntil: at(source.idle_until[i]),
        tiles: [],
      };
      if (source.tile)
        for (const last = next + taker.count; next < last; ++next)
          taker.tiles.push({
            name: `tile ${source.tile[next]}${source.lists[source.list[next]] ? ` of ${source.lists[source.list[next]]}` : ""}`,
            line: source.line[next],
            begin: at(source.from[next]),
            end: at(source.from[next] + source.lasts[next]),
          });
      return taker;
    });
    const detail = page.make("p", figure, {className: "note detail"});
    const idle = `Point at a row for its tiles; with the focus on it, the arrow keys go from tile to tile and row to row.`;
    detail.textContent = idle;

    // The tile at a line, or those at all of them.
    const describe = (taker, time, line) => {
      const tiles = taker.tiles.filter(
        (tile) => tile.begin <= time && time < tile.end && (line === undefined || tile.line === line),
      );
      const all = `${taker.name}: ${taker.count} tile${taker.count === 1 ? "" : "s"}`;
      const words = ({name, begin, end}) =>
        `${name}: from ${page.exactTime(begin)} to ${page.exactTime(end)}, ${page.exactTime(end - begin)}; `;
      if (tiles.length > 0) return `${tiles.map(words).join("")}${all}.`;
      const {idleFrom, idleUntil} = taker;
      if (time >= idleFrom && time < idleUntil)
        return `${all}; idle since ${page.exactTime(idleFrom)}, for ${page.exactTime(idleUntil - idleFrom)}.`;
      return `${all}, from ${page.exactTime(taker.begin)} to ${page.exactTime(taker.end)}.`;
    };
    const lineAt = (taker, y) => {
      const high = Math.floor((source.height - 2 * source.inset) / taker.lines);
      return Math.min(Math.max(Math.floor((y - source.inset) / high), 0), taker.lines - 1);
    };
    const takerAt = (row, time) =>
      takers.find((taker) => taker.row === row && taker.begin <= time && time < Math.max(taker.idleUntil, taker.end)) ??
      takers.find((taker) => taker.row === row);

    area.addEventListener("pointermove", (event) => {
      const box = area.getBoundingClientRect();
      const time = page.from + ((event.clientX - box.left) / box.width) * (page.to - page.from);
      const y = ((event.clientY - box.top) / box.height) * source.rows * source.height;
      const taker = takerAt(Math.floor(y / source.height), time);
      detail.textContent = taker ? describe(taker, time, lineAt(taker, y % source.height)) : idle;
    });
    area.addEventListener("pointerleave", () => {
      detail.textContent = idle;
    });

    // ---- By keyboard: the tile that is chosen.
    area.tabIndex = 0;
    area.setAttribute("role", "application");
    area.setAttribute("aria-label", `Tiles. ${idle}`);
    let row = 0,
      time = page.start;
    const steps = () =>
      takers
        .filter((taker) => taker.row === row)
        .flatMap((taker) => [
          ...(taker.tiles.length > 0 ? taker.tiles : [taker]).map(({begin}) => begin),
          ...(taker.idleFrom < taker.idleUntil ? [taker.idleFrom] : []),
        ]);
    const go = (direction) => {
      const found = steps().sort((a, b) => a - b);
      const after = direction > 0 ? found.find((begin) => begin > time) : found.findLast((begin) => begin < time);
      time = after ?? time;
    };
    area.addEventListener("keydown", (event) => {
      const keys = {
        ArrowRight: () => go(1),
        ArrowLeft: () => go(-1),
        ArrowDown: () => (row = Math.min(row + 1, source.rows - 1)),
        ArrowUp: () => (row = Math.max(row - 1, 0)),
      };
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
      const taker = takerAt(row, time);
      if (!taker) return;
      page.show(time);
      detail.textContent = describe(taker, time);
      page.announce(detail.textContent);
    });
  };

  return {attach};
})();
