// Keeps a page that `gdsim serve` gave out as its scenario is: loads it anew once there is another, in the same zoom, and
// shows meanwhile what is wrong with the scenario.
(() => {
  "use strict";
  const own = document.body.dataset.page;
  const notice = document.getElementById("notice");
  const ZOOM = "gdsim-zoom", PAUSE = 2000;
  const run = globalThis.gdsimRun;

  const pause = () => new Promise((resume) => setTimeout(resume, PAUSE));

  const show = (text) => {
    if (notice.textContent !== text) notice.textContent = text;
    notice.hidden = text === "";
  };

  const reload = () => {
    const isZoomed = run && (run.from > run.start || run.to < run.end);
    if (isZoomed) sessionStorage.setItem(ZOOM, JSON.stringify([run.from, run.to]));
    location.reload();
  };

  const [low, high] = JSON.parse(sessionStorage.getItem(ZOOM)) ?? [];
  if (run) sessionStorage.removeItem(ZOOM);
  if (run && low < run.end && high > run.start) run.zoom(low, high);

  const follow = async () => {
    let state = "", isLost = false;
    for (;;) {
      try {
        const answer = await fetch(`changes?since=${state}`, {cache: "no-store"});
        if (!answer.ok) throw new Error(answer.statusText);
        const now = await answer.json();
        // A server that was started again counts its pages anew.
        if (isLost || String(now.page) !== own) return reload();
        // A server that has many pages to tell answers at once.
        const isNew = now.state !== state;
        state = now.state;
        show(now.error);
        if (!isNew) await pause();
      } catch {
        isLost = true;
        show("gdsim serve has ended: this page is as it was then.");
        await pause();
      }
    }
  };
  // A page that is loaded for good has its first request behind it.
  if (document.readyState === "complete") follow(); else addEventListener("load", follow);
})();
