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
    const device = page.data.device,
      times = device.time.map(Number);
    const top = Math.max(1, ...device.resident);

    const draw = () => {
      const {context, width} = gdsimCanvas.prepare(page, {area, canvas});
      const x = (at) => ((at - page.start) / (page.end - page.start)) * width;
      const outline = (values, colour) => {
        context.fillStyle = page.css(colour);
        context.beginPath();
        context.moveTo(0, HEIGHT);
        times.forEach((time, i) => {
          const y = HEIGHT - (values[i] / top) * (HEIGHT - 4),
            right = i + 1 < times.length ? times[i + 1] : page.end;
          context.lineTo(x(time), y);
          context.lineTo(x(right), y);
        });
        context.lineTo(width, HEIGHT);
        context.fill();
      };
      outline(device.resident, "--wait");
      outline(device.running, "--run");
      const left = x(page.from),
        right = x(page.to);
      context.fillStyle = page.css("--veil");
      context.fillRect(0, 0, left, HEIGHT);
      context.fillRect(right, 0, width - right, HEIGHT);
      context.strokeStyle = page.css("--ink");
      context.lineWidth = 2;
      context.strokeRect(Math.min(left + 1, width - 3), 1, Math.max(right - left - 2, 1), HEIGHT - 2);
      if (page.shown !== null) {
        context.fillStyle = page.css("--ink");
        context.fillRect(x(page.shown), 0, 1, HEIGHT);
      }
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
    page.onDraw(draw);
    page.onShow(draw);
  };
  return {attach};
})();
