// Runs in each shown report, so that the next report begins at the same scroll position.
addEventListener("load", () => {
  scrollTo(0, Number(document.querySelector("meta[name=gdsim-scroll]").content));
  addEventListener("scroll", () => parent.postMessage({scrolled: scrollY}, "*"), {passive: true});
});
