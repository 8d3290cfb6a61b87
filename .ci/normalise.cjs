/** One text for a statement whatever its number of values, and whichever database it is written for. */
exports.normalise = sql =>
  sql
    .replace(/\s+/g, ' ')
    .trim()
    // The database's clock (src/db/database-time.ts).
    .replace(/CAST\((unixepoch\('subsec'\) \* 1000 AS INTEGER|UNIX_TIMESTAMP\(NOW\(3\)\) \* 1000 AS SIGNED)\)/g, 'NOW')
    .replace(/^SET STATEMENT max_statement_time=\S+ FOR /, '')
    .replace(/[$?]\d+/g, '?')
    .replace(/\b(LIMIT|OFFSET) \d+/g, '$1 ?')
    .replace(/( WHEN \? THEN \?)+/g, ' WHEN ? THEN ?')
    .replace(/^SELECT json_array\((.*?)\) AS json_row /, 'SELECT $1 ')
    // Where SQLite writes rows as JSON lists, MariaDB names the columns.
    .replace(/ AS \w+(?=,| FROM )/g, '')
    .replace(/\(SELECT value FROM json_each\(\?\)\)/g, '(?)')
    .replace(/ (FORCE INDEX \(\w+\)|INDEXED BY \w+)/g, '')
    .replace(/\bSTRAIGHT_JOIN\b/g, 'CROSS JOIN')
    .replace(/ (FOR UPDATE|LOCK IN SHARE MODE)$/, '')
    .replace(/ ON (CONFLICT|DUPLICATE KEY) .*$/, ' ON CONFLICT')
    .replace(/\?(, \?)+/g, '?')
    .replace(/\(\?\)(, \(\?\))+/g, '(?)')
    // Conditions of one form, joined: a key of several columns for each row.
    .replace(/(\([^()]*\))( OR \1)+/g, '$1')
    // Rows of values, of which one is a query.
    .replace(/(\(\?(?:, \([^()]*\))+\))(, \1)+/g, '$1')
