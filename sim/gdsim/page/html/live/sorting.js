// Tables whose columns can be sorted by a click on their headers, or by Enter.
const gdsimSorting = (() => {
  "use strict";
  const keyOf = (cell) => {
    const text = cell.dataset.value ?? cell.textContent;
    const number = Number(text);
    return text !== "" && Number.isFinite(number) ? number : (cell.dataset.value ?? cell.textContent);
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? 1 : -1;
  };

  const attach = (table, announce) => {
    const body = table.tBodies[0],
      headers = [...table.tHead.rows[0].cells];
    if (body.rows.length < 2) return;
    headers.forEach((header, column) => {
      if (body.rows[0].cells[column].querySelector("svg")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
      button.onclick = () => {
        // Numbers begin with the largest, names with the first.
        const isText = typeof keyOf(body.rows[0].cells[column]) === "string";
        const before = header.getAttribute("aria-sort");
        const direction =
          before === "descending"
            ? "ascending"
            : before === "ascending"
              ? "descending"
              : isText
                ? "ascending"
                : "descending";
        for (const other of headers) other.removeAttribute("aria-sort");
        header.setAttribute("aria-sort", direction);
        const sign = direction === "ascending" ? 1 : -1;
        const rows = [...body.rows].map((row, place) => ({row, place, key: keyOf(row.cells[column])}));
        rows.sort((a, b) => sign * compare(a.key, b.key) || a.place - b.place);
        body.append(...rows.map(({row}) => row));
        announce(`Sorted by ${button.textContent}, ${direction}`);
      };
    });
  };
  return {attach};
})();
