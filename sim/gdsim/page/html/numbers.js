// Times as people read them, for the script of the page.
const gdsimTimes = (() => {
  "use strict";
  // Each unit is a power of ten of a picosecond.
  const UNITS = [["s", 12], ["ms", 9], ["us", 6], ["ns", 3], ["ps", 0]];

  /// `12345.678`, nanoseconds as the CSV files write them, as `12.345678 us`: every digit, in the largest unit that
  /// makes it at least 1.
  const exact = (ns) => {
    const digits = ns.replace(".", "").replace(/^0+/, "");
    if (digits === "") return "0 s";
    const [unit, power] = UNITS.find(([, power]) => digits.length > power);
    const whole = digits.slice(0, digits.length - power), rest = digits.slice(digits.length - power).replace(/0+$/, "");
    return `${whole}${rest && "."}${rest} ${unit}`;
  };

  /// Nanoseconds as `12.35 us`: four digits, in the largest unit that makes it at least 1.
  const rounded = (ns) => {
    if (!(ns > 0)) return "0 s";
    const [unit, power] = UNITS.find(([, size]) => ns * 1000 >= 10 ** size * (1 - 1e-9)) ?? UNITS[4];
    return `${Number((ns / 10 ** (power - 3)).toPrecision(4))} ${unit}`;
  };

  /// Round times from `from` to `to` (nanoseconds), at most `count` + 1 of them: all in one unit, with as many decimals
  /// as distinguish them. As TimeScale::ticks.
  const ticks = (from, to, count) => {
    const minStep = Math.max((to - from) / count, 0.001) * (1 - 1e-9);
    let power = Math.floor(Math.log10(minStep)), factor = 1;
    while (factor * 10 ** power < minStep) {
      factor = factor === 1 ? 2 : factor === 2 ? 5 : 1;
      if (factor === 1) ++power;
    }
    const step = factor * 10 ** power;
    const first = Math.ceil(from / step - 1e-6), last = Math.floor(to / step + 1e-6);
    const [unit, size] = UNITS.find(([, size]) => last * step >= 10 ** (size - 3) * (1 - 1e-9)) || UNITS[4];
    const decimals = Math.max(0, size - 3 - power);
    const found = [];
    for (let i = first; i <= last; ++i)
      found.push({at: i * step, label: `${i === 0 ? "0" : (i * step / 10 ** (size - 3)).toFixed(decimals)} ${unit}`});
    return found;
  };

  /// As many of them as have room side by side in so many pixels, in a font of such a size.
  const ticksWithin = (from, to, pixels, fontSize) => {
    let found = [];
    for (const count of [8, 6, 4, 3, 2, 1]) {
      found = ticks(from, to, count);
      const longest = Math.max(0, ...found.map(({label}) => label.length));
      const apart = found.length > 1 ? (found[1].at - found[0].at) / (to - from) * pixels : pixels;
      if (apart > 0.6 * fontSize * longest + 8) break;
    }
    return found;
  };

  return {exact, rounded, ticksWithin};
})();
