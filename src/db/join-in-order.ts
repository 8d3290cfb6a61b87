/**
 * The join that reads its tables in the order of the text. By statistics, MariaDB would at times begin with all rows of
 * a space, and SQLite read the space once for each row.
 */
export const joinInOrder = { mariadb: 'STRAIGHT_JOIN', sqlite: 'CROSS JOIN' } as const
