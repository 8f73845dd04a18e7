// Figures that are drawn on canvases: as wide as the others, with the same time axis, redrawn as they change.
const gdsimCanvas = (() => {
  "use strict";
  const NAMES = ["--k0", "--k1", "--k2", "--k3", "--k4", "--k5", "--k6", "--k7"];
  const COPIES = new Map([
    ["copies to the device", "--to-device"],
    ["copies to the host", "--to-host"],
  ]);

  /// The figure's parts, in the shape of those that the page came with.
  const makeFigure = (page, {id, caption, parent, before = null, label}) => {
    const figure = document.createElement("figure");
    figure.id = id;
    parent.insertBefore(figure, before);
    const captionElement = page.make("figcaption", figure, {textContent: caption});
    const plot = page.make("div", figure, {className: "plot"});
    const left = page.make("div", plot, {className: "left"});
    const area = page.make("div", plot, {className: "area drawn", tabIndex: 0});
    const right = page.make("div", plot, {className: "right"});
    page.make("span", page.make("div", plot, {className: "time"}), {});
    area.setAttribute("role", "application");
    area.setAttribute("aria-label", label);
    const canvas = page.make("canvas", area);
    canvas.setAttribute("aria-hidden", "true");
    const detail = page.make("p", figure, {className: "note detail"});
    return {figure, caption: captionElement, plot, left, area, right, canvas, detail};
  };

  /// The canvas as large as its area, cleared, in units of the page's pixels.
  const prepare = (page, {area, canvas}) => {
    const width = area.clientWidth,
      height = area.clientHeight,
      ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = "middle";
    return {context, width, height};
  };

  /// A colour for each of the kernels, which are in the order of their total time: the first has the strongest, and
  /// where there are more than colours, these are used again, in stripes. Copies have greys of their own.
  const coloursFor = (names) => {
    let next = 0;
    return names.map((name) => {
      if (COPIES.has(name)) return {variable: COPIES.get(name), isStriped: false};
      const at = next++;
      return {variable: NAMES[at % NAMES.length], isStriped: Math.floor(at / NAMES.length) % 2 === 1};
    });
  };

  const inks = new Map();
  /// Black or white, whichever is easier to read on a colour `#rrggbb`.
  const inkOn = (colour) => {
    if (!inks.has(colour)) inks.set(colour, inkFor(colour));
    return inks.get(colour);
  };
  const inkFor = (colour) => {
    const [red, green, blue] = [1, 3, 5]
      .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#ffffff";
  };

  const stripesOver = (context, left, top, width, height, colour) => {
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.beginPath();
    for (let x = Math.floor(left / 7) * 7 - height; x < left + width; x += 7) {
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
    }
    context.stroke();
    context.restore();
  };

  /// A text within a width; shortened if enough of it stays, else nothing.
  const writeWithin = (context, text, left, middle, width) => {
    if (width < 14) return;
    let shown = text;
    if (context.measureText(text).width > width) {
      const letters = Math.floor((text.length * (width - 8)) / context.measureText(text).width);
      if (letters < 2) return;
      shown = `${text.slice(0, letters)}…`;
    }
    context.fillText(shown, left, middle);
  };

  return {makeFigure, prepare, coloursFor, inkOn, stripesOver, writeWithin};
})();
