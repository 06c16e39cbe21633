// @ts-check
"use strict";
/* Sorts a table in place: rows stay in their group, what has no number goes last, and the column's own
   direction decides what comes first. A third press brings the given order back. */
(() => {
  /** @type {WeakMap<Element, Element[]>} the given order of each group's rows */
  const given = new WeakMap();

  /** @param {Element} row @param {number} column @returns {string} */
  const valueAt = (row, column) => {
    const cell = row.children[column];
    return cell instanceof HTMLElement ? (cell.dataset.v ?? cell.innerText) : "";
  };

  /**
   * @param {string} a
   * @param {string} b
   * @param {boolean} text
   */
  const compare = (a, b, text) => (text ? a.localeCompare(b, undefined, { numeric: true }) : Number(a) - Number(b));

  /** @param {HTMLElement} button */
  const sort = (button) => {
    const head = /** @type {HTMLTableCellElement} */ (button.closest("th"));
    const table = /** @type {HTMLTableElement} */ (head.closest("table"));
    const text = head.dataset.dir === "text";
    const first = text || head.dataset.dir === "lower" ? "ascending" : "descending";
    const second = first === "ascending" ? "descending" : "ascending";
    const now = head.getAttribute("aria-sort");
    const next = now === first ? second : now === second ? "" : first;
    for (const other of table.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    if (next) head.setAttribute("aria-sort", next);
    for (const body of table.tBodies) {
      if (!given.has(body)) given.set(body, Array.from(body.rows));
      const rows = given.get(body) || [];
      const fixed = rows.filter((row) => row.className === "group");
      const free = rows.filter((row) => row.className !== "group");
      if (next) {
        const sign = next === "ascending" ? 1 : -1;
        free.sort((a, b) => {
          const [x, y] = [valueAt(a, head.cellIndex), valueAt(b, head.cellIndex)];
          if (!x || !y) return x ? -1 : y ? 1 : 0;
          return sign * compare(x, y, text);
        });
      }
      body.append(...fixed, ...free);
    }
  };

  window.torusSite.ready("tables", sort);
})();
