// The pointer and the arrow keys go from point to point; what is there is said below the picture.
(() => {
"use strict";
const marks = [...document.querySelectorAll(".mark")];
const readout = document.getElementById("readout");
const places = new Map(marks.map((mark) => [mark.dataset.at, mark]));
const home = document.querySelector(".mark.best") ?? marks[0];
const say = (mark) => { readout.textContent = mark.getAttribute("aria-label"); };
const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const last = marks.map((mark) => mark.dataset.at.split(",").map(Number))
  .reduce((most, at) => [Math.max(most[0], at[0]), Math.max(most[1], at[1])], [0, 0]);
for (const mark of marks) {
  mark.addEventListener("pointerenter", () => say(mark));
  mark.addEventListener("focus", () => say(mark));
  mark.addEventListener("keydown", (event) => {
    if (event.key === "Home") { home.focus(); event.preventDefault(); }
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    let [x, y] = mark.dataset.at.split(",").map(Number);
    do { x += step[0]; y += step[1]; } while (x >= 0 && y >= 0 && x <= last[0] && y <= last[1] && !places.has(`${x},${y}`));
    const next = places.get(`${x},${y}`);
    if (!next) return;
    mark.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
if (home) home.tabIndex = 0;
})();
