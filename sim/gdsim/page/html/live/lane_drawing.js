// Draws launches in their lanes.
const gdsimLaneDrawing = (() => {
  "use strict";
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  /// Returns what draws the lanes anew. `choice` is what is chosen of them.
  const make = ({page, source, lanes, launches, colours, onPath, followers, figure, gap, choice}) => {
    const drawSummary = (context, lane, width) => {
      // The part of each pixel that some launch takes, in the colour of the kernel that takes most of it.
      const columns = Math.max(Math.floor(width / 2), 1);
      const span = (page.to - page.from) / columns;
      const busy = Array.from({length: columns}, () => new Map());
      for (const launch of lane.shown) {
        const first = Math.max(Math.floor((launch.begin - page.from) / span), 0);
        const last = Math.min(Math.floor((launch.finish - page.from) / span), columns - 1);
        for (let column = first; column <= last; ++column) {
          const taken =
            Math.min(launch.finish, page.from + (column + 1) * span) -
            Math.max(launch.begin, page.from + column * span);
          busy[column].set(launch.kernel, (busy[column].get(launch.kernel) ?? 0) + Math.max(taken, span / 1e3));
        }
      }
      busy.forEach((kernels, column) => {
        let sum = 0,
          longest = null;
        for (const [kernel, taken] of kernels) {
          sum += taken;
          if (longest === null || taken > kernels.get(longest)) longest = kernel;
        }
        let part = Math.min(sum / span, 1);
        if (source.busy && !choice.isFiltered())
          part = Math.max(part, busyShare(lane, page.from + (column + 0.5) * span));
        if (part <= 0) return;
        const height = Math.max(part * (lane.height - 4), 2);
        context.fillStyle = longest === null ? page.css("--soft") : page.css(colours[longest].variable);
        context.fillRect(
          (column * width) / columns,
          lane.top + lane.height - 2 - height,
          width / columns + 0.3,
          height,
        );
      });
    };

    /// The share of time in which any launch of a lane is in flight, listed or not; nothing if all are listed.
    const busyShare = (lane, time) => {
      const letters = source.busy[lanes.indexOf(lane)];
      const part = Math.floor(((time - page.start) / (page.end - page.start)) * letters.length);
      return LETTERS.indexOf(letters[Math.min(Math.max(part, 0), letters.length - 1)]) / 63;
    };
    const drawUnlisted = (context, lane, width) => {
      context.fillStyle = page.css("--line");
      for (let x = 0; x < width; x += 2) {
        context.globalAlpha = busyShare(lane, page.from + ((x + 1) / width) * (page.to - page.from));
        context.fillRect(x, lane.top, 2, lane.height);
      }
      context.globalAlpha = 1;
    };

    const dimFor = (launch) => {
      if (choice.isSearching() && !launch.isMatch) return 0.18;
      if (choice.isPathAsked() && !launch.isCritical && !onPath.has(launch.i)) return 0.28;
      return 1;
    };

    const drawBar = (context, launch, width) => {
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      const isKept = launch.isCritical || onPath.has(launch.i);
      const left = Math.max(x(launch.begin), -4),
        right = Math.min(Math.max(x(launch.finish), x(launch.begin) + (isKept ? 2 : 1)), width + 4);
      const isLow = launch.high < 8;
      const top = launch.top + (isLow ? 0 : 1),
        height = launch.high - (isLow ? 1 : 2);
      const colour = page.css(colours[launch.kernel].variable);
      context.globalAlpha = dimFor(launch);
      if (choice.areWaitsAsked() && launch.ready !== null && launch.ready < launch.begin) {
        const from = Math.max(x(launch.ready), -4);
        context.fillStyle = page.css("--wait");
        context.fillRect(from, top + height / 2 - 1.5, Math.max(left - from, 0), 3);
        context.fillRect(from, top + height / 4, 1.5, height / 2);
      }
      context.fillStyle = colour;
      context.fillRect(left, top, right - left, height);
      if (colours[launch.kernel].isStriped)
        gdsimCanvas.stripesOver(context, left, top, right - left, height, page.css("--page"));
      const full = Math.min(x(launch.full ?? launch.finish), right);
      if (full > left + 1 && !isLow) {
        context.fillStyle = page.css("--page");
        context.globalAlpha *= 0.55;
        context.fillRect(left, top, full - left, 2.5);
        context.globalAlpha = dimFor(launch);
      }
      if (right - left > 3 && !isLow) {
        context.strokeStyle = page.css("--page");
        context.lineWidth = 1;
        context.strokeRect(left + 0.5, top + 0.5, right - left - 1, height - 1);
      }
      if (launch.end === null) {
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 2;
        context.beginPath();
        for (let i = 0; i <= 4; ++i) context[i ? "lineTo" : "moveTo"](right - 4 + (i % 2) * 4, top + (i * height) / 4);
        context.stroke();
      }
      if (choice.isPathAsked() && isKept) {
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 2;
        context.strokeRect(left + 1, top + 1, Math.max(right - left - 2, 1), Math.max(height - 2, 1));
      }
      if (launch.high < 12) {
        context.globalAlpha = 1;
        return;
      }
      const from = Math.max(left, 0) + 4;
      context.fillStyle = colours[launch.kernel].isStriped ? page.css("--ink") : gdsimCanvas.inkOn(colour);
      if (colours[launch.kernel].isStriped && right - from > 14) {
        context.save();
        context.fillStyle = page.css("--page");
        context.fillRect(
          from - 2,
          top + 2,
          Math.min(context.measureText(launch.name).width + 4, Math.min(right, width) - from),
          height - 4,
        );
        context.restore();
      }
      gdsimCanvas.writeWithin(context, launch.name, from, top + height / 2 + 0.5, Math.min(right, width) - from - 3);
      context.globalAlpha = 1;
    };

    const drawLink = (context, from, to, width, style) => {
      if (
        from.end === null ||
        lanes[from.lane].isHidden ||
        lanes[to.lane].isHidden ||
        !choice.isShown(from) ||
        !choice.isShown(to)
      )
        return;
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      context.strokeStyle = page.css("--ink");
      context.setLineDash(style.dash ?? []);
      context.lineWidth = style.width;
      context.beginPath();
      context.moveTo(x(from.end), from.top + from.high / 2);
      context.lineTo(x(from.end), to.top + to.high / 2);
      context.lineTo(Math.max(x(to.begin), x(from.end)), to.top + to.high / 2);
      context.stroke();
      context.setLineDash([]);
    };

    /// The parts of each collective, on several devices.
    const collectives = new Map();
    launches.forEach((launch, i) => {
      const number = source.collective?.[i] ?? null;
      if (number === null || launch.begin === null) return;
      if (!collectives.has(number)) collectives.set(number, []);
      collectives.get(number).push(launch);
    });
    /// Across the lanes of its devices: where its last part has joined, and where it ends.
    const drawCollectives = (context, width) => {
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      context.strokeStyle = page.css("--ink");
      context.lineWidth = 1;
      for (const parts of collectives.values()) {
        const seen = parts.filter((launch) => !lanes[launch.lane].isHidden && choice.isShown(launch));
        if (seen.length < 2) continue;
        const top = Math.min(...seen.map((launch) => launch.top)),
          bottom = Math.max(...seen.map((launch) => launch.top + launch.high));
        const joined = Math.max(...seen.map((launch) => launch.full ?? launch.begin)),
          ended = Math.max(...seen.map((launch) => launch.finish));
        context.globalAlpha = x(ended) - x(joined) > 6 ? 0.9 : 0.35;
        context.beginPath();
        for (const at of [joined, ended]) {
          context.moveTo(x(at), top);
          context.lineTo(x(at), bottom);
        }
        context.stroke();
      }
      context.globalAlpha = 1;
    };

    const draw = () => {
      const {context, width} = gdsimCanvas.prepare(page, figure);
      if (width === 0) return;
      context.fillStyle = page.css("--line");
      for (const lane of lanes) if (!lane.isHidden) context.fillRect(0, lane.top + lane.height + gap / 2, width, 1);
      const inSight = choice.launches.filter(
        (launch) =>
          lanes[launch.lane].isOpen && launch.finish >= page.from && (launch.ready ?? launch.begin) <= page.to,
      );
      if (source.busy && !choice.isFiltered())
        for (const lane of lanes) if (!lane.isHidden && lane.isOpen) drawUnlisted(context, lane, width);
      for (const lane of lanes) if (!lane.isHidden && !lane.isOpen) drawSummary(context, lane, width);
      const isLast = (launch) => launch.isCritical || onPath.has(launch.i);
      for (const launch of inSight) if (!isLast(launch)) drawBar(context, launch, width);
      for (const launch of inSight) if (isLast(launch)) drawBar(context, launch, width);
      if (choice.isPathAsked())
        for (let i = 1; i < source.path.length; ++i)
          drawLink(context, launches[source.path[i - 1]], launches[source.path[i]], width, {width: 2.4});
      drawCollectives(context, width);
      for (const launch of new Set([choice.hovered, choice.selected])) {
        if (!launch || !choice.isShown(launch)) continue;
        for (const before of source.after[launch.i])
          if (launches[before].begin !== null)
            drawLink(context, launches[before], launch, width, {width: 1.4, dash: [4, 3]});
        for (const after of followers[launch.i])
          if (launches[after].begin !== null)
            drawLink(context, launch, launches[after], width, {width: 1.4, dash: [4, 3]});
      }
      if (choice.selected && choice.isShown(choice.selected)) {
        const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 3;
        context.strokeRect(
          Math.max(x(choice.selected.begin), 1) - 1,
          choice.selected.top,
          Math.max(Math.min(x(choice.selected.finish), width) - Math.max(x(choice.selected.begin), 1), 2) + 2,
          choice.selected.high,
        );
      }
    };

    return draw;
  };

  return {make};
})();
