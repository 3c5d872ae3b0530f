"use strict";
// Tables sort by a click on a heading: numbers as numbers, then words, what is missing last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  const heads = [...table.tHead.rows[0].cells];
  const words = new Intl.Collator("en", { numeric: true });
  const key = (cell) => {
    if (cell.dataset.sort !== undefined) return [0, Number(cell.dataset.sort)];
    const text = (cell.querySelector("summary") || cell).textContent.trim();
    return text === "" || text === "-" ? [2, 0] : [1, text];
  };
  const sort = (column, sign) => {
    const keyed = [...body.rows].map((row) => [key(row.cells[column]), row]);
    keyed.sort(([[kind, a]], [[other, b]]) => {
      if (kind !== other) return kind === 2 || other === 2 ? kind - other : sign * (kind - other);
      return sign * (kind === 0 ? a - b : kind === 1 ? words.compare(a, b) : 0);
    });
    body.append(...keyed.map(([, row]) => row));
    heads.forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      sort(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1);
    });
  });
}
