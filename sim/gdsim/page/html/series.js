// Which of very many bins are drawn as one, for the script of the page.
const gdsimSeries = (() => {
  "use strict";
  // Narrower bins would leave no room between the strokes of the line for the band that it runs through.
  const LEAST_PIXELS = 4;

  /// How many neighbouring bins are drawn as one if so many are in sight in so many pixels: a power of two.
  const factorFor = (binsInSight, pixels) => {
    let factor = 1;
    while (binsInSight / factor * LEAST_PIXELS > pixels) factor *= 2;
    return factor;
  };

  /// One row for every `factor` rows of `points`, whose first column is time and whose last row closes the plot: the
  /// columns that `keys` name `min` and `max` keep the least and the greatest, the others the mean.
  const merged = (points, keys, factor) => {
    const rows = points[0].length - 1;
    const groups = Math.ceil(rows / factor);
    const pick = {
      min: (values) => Math.min(...values),
      max: (values) => Math.max(...values),
      mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
    };
    return points.map((column, i) => {
      if (i === 0) return [...Array.from({length: groups}, (_, group) => column[group * factor]), column.at(-1)];
      const choose = pick[keys[i - 1]] ?? pick.mean;
      const chosen = Array.from({length: groups},
        (_, group) => choose(column.slice(group * factor, Math.min((group + 1) * factor, rows))));
      return [...chosen, chosen.at(-1)];
    });
  };

  return {factorFor, merged};
})();
