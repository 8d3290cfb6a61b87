/** Reads what log-statements.cjs has noted, and knows which statements are one database's alone. */
import { readFileSync } from 'node:fs'

/** Written for SQLite; what MariaDB runs in their place, if anything, is another text. */
const sqliteOnly = [
  // How a transaction begins, and what SQLite is asked about itself.
  /^(BEGIN|PRAGMA|VACUUM|REINDEX)\b/,
  // Tables and their first rows are made by migrations, which have texts for each database; `fsck` runs those of SQLite in
  // memory.
  /^(CREATE|ALTER|DROP|INSERT OR IGNORE)\b/,
  // A table that is made anew, because SQLite cannot change a column (migrations/0089-uploads-of-links.ts).
  /^INSERT INTO uploads \(.*\) SELECT\b/,
  // The rows that migrations make, read from SQLite in memory (src/db/table-forms.ts).
  /^SELECT '\w+' AS "table", /,
  /\b(sqlite_(master|schema|sequence)|pragma_\w+|dbstat)\b/,
  /\bNOT INDEXED( ORDER BY name)?$/,
  // What an index says, and the rows that it contradicts (src/commands/fsck/index-entries.ts, unclear-rows.ts, doubled-rows.ts).
  /\bINDEXED BY `|\bFROM `\w+` NOT INDEXED\b/,
  /^(SELECT \* FROM|UPDATE|DELETE FROM) `(api_keys|events|files|group_members|links|metadata_fields|roles|sessions|shares|tags|user_groups|users)` /,
  // The index of names: trigrams here, `names` and its narrow index there (src/files/search/names.ts). `fsck` compares the
  // words of the first with the rows (src/commands/fsck/search-text.ts).
  /\b(file_search|files_names\b)/,
  /\btemp\.search_terms\b/,
  /^SELECT id, space_id, name_folded FROM files\b/,
  // Text that a row of SQLite's keeps as bytes (src/commands/fsck/rows.ts).
  /\bCAST\((`\w+`|\?) AS TEXT\)/,
  // Bytes that a row of SQLite's keeps as text, and text that is not UTF-8 (src/commands/fsck/, src/db/broken-text.ts).
  /\bTYPEOF\(|\bCAST\(bytes AS BLOB\)|\bHEX\(`\w+`\)/,
  /^(SELECT `.*` FROM|DELETE FROM) (type_counts|permissions) WHERE `/,
  // A folder goes to the trash: MariaDB's statement joins what this one names by IN (src/files/trash.ts).
  /^UPDATE files SET trash_root_id = \? WHERE id IN \(WITH RECURSIVE/,
  // A start takes over all leases, for nobody else serves the file (src/server/jobs.ts).
  /^UPDATE leases SET expires_at = 0 WHERE name NOT LIKE/,
  // Only one process can work on an upload; elsewhere the statement names the one that holds it (src/uploads/rows.ts).
  /^UPDATE uploads SET (received|target|state|expires_at) = \?.* WHERE id = \?$/,
  // That an upload is being sent, which its hold says elsewhere (src/uploads/hold.ts).
  /^UPDATE uploads SET held_until = (NOW \+ \d+|0) WHERE id = \?$/,
]

/** Where the caller chooses the conditions and the order of a list, or the columns of a change, no test asks for all. */
const isList = text => /^SELECT .* LIMIT /.test(text) && /ORDER BY|^SELECT COUNT/.test(text)
const columnsForm = /^(UPDATE \w+ SET )(`.*)( WHERE id = \?)$/

/** Such a statement counts by its parts, all others as they are. */
function partsOf(text) {
  if (isList(text)) return text.split(/ (?=(?:FROM|WHERE|AND|ORDER BY) )/).map(part => `… ${part}`)
  const [, start, columns, end] = columnsForm.exec(text) ?? []
  return columns === undefined ? [text] : columns.split(', ').map(column => `${start}… ${column} …${end}`)
}

/** What of the product a dialect has run, over some logs: statement, or part of a list's → the test files that ran it. */
export function readStatements(dialect, ...logs) {
  const files = new Map()
  for (const line of logs.flatMap(log => readFileSync(log, 'utf8').split('\n')).filter(Boolean)) {
    const [file, ranOn, text] = line.split('\t')
    if (ranOn !== dialect || sqliteOnly.some(pattern => pattern.test(text))) continue
    for (const part of partsOf(text)) files.set(part, (files.get(part) ?? new Set()).add(file))
  }
  return files
}

/** Whether a test of a report was skipped because it is about MariaDB: test/support/only-on.ts. */
export const isMariadbOnly = ({ status, meta }) => status !== 'passed' && /^MariaDB only/.test(meta?.skipReason ?? '')
