// An overview of the whole run with a frame around the visible range: drag it, or use the arrow keys.
const gdsimMinimap = (() => {
  "use strict";
  const HEIGHT = 30;

  const attach = (page, parent) => {
    const area = page.make("div", parent, {id: "minimap", tabIndex: 0});
    area.setAttribute("role", "slider");
    area.setAttribute(
      "aria-label",
      "Visible range. Arrow keys move it, plus and minus zoom, 0 shows the whole run.",
    );
    area.setAttribute("aria-valuemin", "0");
    area.setAttribute("aria-valuemax", "100");
    const canvas = page.make("canvas", area);
    canvas.setAttribute("aria-hidden", "true");
    const cursor = page.make("div", area, {className: "cursor"});
    const series = gdsimPlots.seriesOf(page.data.device, page.end);
    const top = Math.max(1, ...series.high);
    // The same at every zoom.
    const whole = {css: page.css, from: page.start, to: page.end};

    const draw = () => {
      const {context, width} = gdsimCanvas.prepare(page, {area, canvas});
      if (width === 0) return;
      const x = (at) => ((at - page.start) / (page.end - page.start)) * width;
      gdsimPlots.draw(whole, context, series, {width, height: HEIGHT, top});
      const left = x(page.from),
        right = x(page.to);
      context.fillStyle = page.css("--veil");
      context.fillRect(0, 0, left, HEIGHT);
      context.fillRect(right, 0, width - right, HEIGHT);
      context.strokeStyle = page.css("--ink");
      context.lineWidth = 2;
      context.strokeRect(Math.min(left + 1, width - 3), 1, Math.max(right - left - 2, 1), HEIGHT - 2);
      area.setAttribute(
        "aria-valuenow",
        String(Math.round((100 * ((page.from + page.to) / 2 - page.start)) / (page.end - page.start))),
      );
      area.setAttribute("aria-valuetext", `${page.exactTime(page.from)} to ${page.exactTime(page.to)}`);
    };

    let grip = null;
    const timeUnder = (event) => {
      const box = area.getBoundingClientRect();
      return page.start + (page.end - page.start) * Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    };
    area.addEventListener("pointerdown", (event) => {
      area.setPointerCapture(event.pointerId);
      const at = timeUnder(event);
      const isWhole = page.from <= page.start && page.to >= page.end;
      if (!isWhole && (at < page.from || at > page.to)) page.move(at - (page.from + page.to) / 2);
      grip = isWhole ? {from: at} : {at};
    });
    area.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const now = timeUnder(event);
      if (grip.from !== undefined) {
        if (Math.abs(now - grip.from) > (page.end - page.start) / 200)
          page.zoom(Math.min(grip.from, now), Math.max(grip.from, now));
        return;
      }
      page.move(now - grip.at);
      grip.at = now;
    });
    for (const name of ["pointerup", "pointercancel"])
      area.addEventListener(name, () => {
        grip = null;
      });
    area.addEventListener("dblclick", () => page.zoom(page.start, page.end));
    area.addEventListener("keydown", (event) => {
      const quarter = (page.to - page.from) / 4;
      const keys = {
        ArrowLeft: () => page.move(-quarter),
        ArrowRight: () => page.move(quarter),
        Home: () => page.move(page.start - page.from),
        End: () => page.move(page.end - page.to),
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    page.addWheel(area, timeUnder, true);
    page.onDraw(draw);
    page.onShow(() => {
      cursor.style.display = page.shown === null ? "none" : "block";
      cursor.style.left = `${(100 * (page.shown - page.start)) / (page.end - page.start)}%`;
    });
  };
  return {attach};
})();
