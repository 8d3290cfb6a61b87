/** Text in the place of bytes: SQLite gives bytes for text whose row is damaged, MariaDB for text that it compares as bytes. */

/** A row whose columns are all text or numbers. */
export const withText = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, Buffer.isBuffer(cell) ? cell.toString() : cell]),
  ) as Row
