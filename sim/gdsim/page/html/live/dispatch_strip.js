// All frames of an animation of dispatch as one SVG, one below the other, runs side by side: as text, so that slides can
// change it.
const gdsimDispatchStrip = (() => {
  "use strict";
  const WIDTH = 640,
    NAME = 90,
    LINE = 22,
    LETTERS = 100; // of a caption, in a line
  const escape = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

  /// Words in lines of at most LETTERS.
  const wrapped = (text) =>
    text.split(" ").reduce((lines, word) => {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length >= LETTERS) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
      return lines;
    }, []);

  const bars = (run, count, top) => {
    const states = [...gdsimDispatchSteps.statesAfter(run, count).values()];
    return run.shown
      .map((core, row) => {
        let left = NAME;
        const y = top + row * LINE;
        const blocks = states
          .filter((state) => state.core === core && state.threads > 0)
          .map((state) => {
            const width = ((WIDTH - NAME - 10) * state.threads) / run.perCore,
              x = left;
            left += width;
            const running = state.threads - state.waiting - state.ended;
            return (
              `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${LINE - 4}"` +
              ` fill="${running === 0 ? "#d55e00" : "#0072b2"}"` +
              ` stroke="#1b1f24"${state.isPartial ? ' stroke-dasharray="3 2"' : ' stroke-width="0.5"'}/>` +
              `<text x="${(x + width / 2).toFixed(1)}" y="${y + 13}" fill="#ffffff" text-anchor="middle">` +
              `${state.group}</text>`
            );
          });
        return (
          `<text x="${NAME - 6}" y="${y + 13}" text-anchor="end">${escape(run.words.core)} ${core}</text>` +
          `<rect x="${NAME}" y="${y}" width="${WIDTH - NAME - 10}" height="${LINE - 4}" fill="#f6f8fa"` +
          ` stroke="#d1d9e0"/>${blocks.join("")}`
        );
      })
      .join("");
  };

  /// `captionOf(run, frame, i)` says what run `i` shows in a frame; `timeOf` writes the time of a frame.
  const svg = (runs, frames, timeOf, captionOf) => {
    const lines = frames.map((frame) => runs.map((run, i) => wrapped(captionOf(run, frame, i))));
    const text = Math.max(...lines.flat().map((one) => one.length)) * 14;
    const high = 34 + text + Math.max(...runs.map(({shown}) => shown.length)) * LINE;
    const wide = WIDTH * runs.length;
    const heading = runs.length > 1 ? 26 : 0;
    const titles = runs
      .map(({title}, i) => `<text x="${i * WIDTH + 6}" y="18" font-weight="bold" font-size="14">${escape(title)}</text>`)
      .join("");
    const drawn = frames.map((frame, number) => {
      const parts = runs.map(
        (run, i) =>
          `<g transform="translate(${i * WIDTH} 0)">` +
          lines[number][i].map((line, row) => `<text x="6" y="${32 + row * 14}">${escape(line)}</text>`).join("") +
          `${bars(run, frame.passed[i], 24 + text)}</g>`,
      );
      return (
        `<g class="frame" transform="translate(0 ${heading + number * high})">` +
        `<text x="6" y="16" font-weight="bold">${number}: ${escape(timeOf(frame))}</text>${parts.join("")}</g>`
      );
    });
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${heading + frames.length * high}"` +
      ' font-family="sans-serif" font-size="11">' +
      `<rect width="100%" height="100%" fill="#ffffff"/>${heading > 0 ? titles : ""}${drawn.join("\n")}</svg>\n`
    );
  };

  return {svg};
})();
