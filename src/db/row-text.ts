/** Turns bytes into text. SQLite returns bytes for text in a damaged row, MariaDB for text with a binary collation. */

/** Converts a row whose columns should all be text or numbers. */
export const withText = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, Buffer.isBuffer(cell) ? cell.toString() : cell]),
  ) as Row
