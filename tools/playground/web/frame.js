// Runs in each shown report, so that the next report begins at the same scroll position, and files may be dropped on it.
addEventListener("load", () => {
  scrollTo(0, Number(document.querySelector("meta[name=gdsim-scroll]").content));
  addEventListener("scroll", () => parent.postMessage({scrolled: scrollY}, "*"), {passive: true});
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  parent.postMessage({dropped: [...event.dataTransfer.files]}, "*");
});
