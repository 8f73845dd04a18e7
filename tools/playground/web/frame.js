// In each report that is shown: where it was scrolled to is where the next one is.
addEventListener("load", () => {
  scrollTo(0, Number(document.querySelector("meta[name=gdsim-scroll]").content));
  addEventListener("scroll", () => parent.postMessage({scrolled: scrollY}, "*"), {passive: true});
});
