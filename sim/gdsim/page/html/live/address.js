// The address holds what is seen: the visible range, the selected range and the selected launch, beside the case.
const gdsimAddress = (() => {
  "use strict";
  const PAUSE = 250;

  const parametersOf = (hash) => new URLSearchParams(hash.replace(/^#/, ""));
  const rangeIn = (parameters, name) => {
    const [low, high] = (parameters.get(name) ?? "").split("..").map(Number);
    return Number.isFinite(low) && Number.isFinite(high) && low < high ? {low, high} : null;
  };

  const attach = (page, lanes) => {
    let timer = 0;
    const round = (ns) => String(Number(ns.toFixed(3)));
    const write = () => {
      const parts = [];
      const name = parametersOf(location.hash).get("case");
      if (name !== null) parts.push(`case=${encodeURIComponent(name)}`);
      if (page.from > page.start || page.to < page.end) parts.push(`zoom=${round(page.from)}..${round(page.to)}`);
      if (page.range) parts.push(`range=${round(page.range.low)}..${round(page.range.high)}`);
      if (lanes?.selected() != null) parts.push(`launch=${lanes.selected()}`);
      const hash = parts.length > 0 ? `#${parts.join("&")}` : "";
      if (hash === location.hash) return;
      try {
        history.replaceState(history.state, "", hash === "" ? location.href.replace(/#.*/, "") : hash);
      } catch {
        // A page in a frame without an address of its own has none to hold anything.
      }
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(write, PAUSE);
    };
    const read = () => {
      const parameters = parametersOf(location.hash);
      const launch = parameters.get("launch");
      lanes?.selectNumber(launch === null ? null : Number(launch));
      const zoom = rangeIn(parameters, "zoom");
      if (zoom && zoom.low < page.end && zoom.high > page.start) page.zoom(zoom.low, zoom.high);
      else page.zoom(page.start, page.end);
      page.setRange(rangeIn(parameters, "range"));
    };
    read();
    page.onDraw(later);
    page.onRange(later);
    page.onSelect(later);
    // Another address, or one before in the history; what is written here makes no such event.
    addEventListener("hashchange", read);
  };

  return {attach};
})();
