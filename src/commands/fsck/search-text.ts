/** Compares the text of SQLite's search index with the names of the files, by a checksum over each. */
import { promisify } from 'node:util'
import { readPages } from '../../db/read-on.ts'
import { openConnection } from '../../db/sqlite.ts'
import { openStatements, type SqliteStatements } from '../../db/sqlite-statements.ts'
import { trigramsOf } from '../../files/search/names.ts'
import type { Check } from './finding.ts'

/**
 * Constants of the checksum. One trigram's share is mixed so that swapping two changes the sum. Code and SQL compute
 * the same in 63-bit integers: Knuth's multiplicative hash, 31 bits of each product.
 */
const mask = 0x7fffffff
const multiplier = 2_654_435_761n
const weights = { character: 131, space: 104_729 } as const

function addend(trigram: string, spaceId: number, factor: bigint): bigint {
  const [a = 0, b = 0, c = 0] = [...trigram].map(character => character.codePointAt(0))
  const text = (a * weights.character + b) * weights.character + c
  const one = BigInt(text + spaceId * weights.space) & BigInt(mask)
  return ((one * factor) >> 16n) & BigInt(mask)
}

const factorOf = (id: number): bigint => ((BigInt(id) * multiplier) & BigInt(mask)) | 1n

/** A word such as `7x696d67`: an id and a trigram. */
const wordParts = `SELECT doc, CAST(term AS INTEGER) AS space,
    CAST(unhex(substr(term, instr(term, 'x') + 1)) AS TEXT) AS trigram
  FROM temp.search_terms`

const indexSum = `SELECT CAST(COALESCE(SUM((
    (((unicode(trigram) * ${weights.character} + unicode(substr(trigram, 2, 1))) * ${weights.character}
      + unicode(substr(trigram, 3, 1)) + space * ${weights.space}) & ${mask})
    * ((doc * ${multiplier} & ${mask}) | 1) >> 16) & ${mask}), 0) AS TEXT) AS sum
  FROM (${wordParts})`

interface NameRow {
  id: number
  space_id: number
  name_folded: string
}

/** The sum of one row. A damaged one may hold what is no number and no text; SQL takes such a number for 0. */
function sumOfName({ id, space_id, name_folded }: NameRow): bigint {
  const factor = factorOf(id)
  const spaceId = Number.isSafeInteger(space_id) ? space_id : 0
  let sum = 0n
  for (const trigram of trigramsOf(String(name_folded))) sum += addend(trigram, spaceId, factor)
  return sum
}

/** Rows per page. */
const pageSize = 1000

async function sumOfRows(statements: SqliteStatements, signal: AbortSignal): Promise<bigint> {
  const query = `SELECT id, space_id, name_folded FROM files WHERE id > $1 ORDER BY id LIMIT ${pageSize}`
  const pages = readPages<NameRow>(
    { dialect: 'sqlite' },
    {
      read: async after => (await statements.select(query, after)) as NameRow[],
      keyOf: ({ id }) => [id],
      start: [0],
      size: pageSize,
    },
  )
  let sum = 0n
  for await (const rows of pages) {
    signal.throwIfAborted()
    for (const row of rows) sum += sumOfName(row)
  }
  return sum
}

/**
 * Whether the two differ at one moment of the database. Uses a connection of its own, because the table of the index's
 * words is temporary; meanwhile SQLite cannot checkpoint its WAL completely.
 */
export async function holdsOtherText({ deps: { config }, signal }: Check): Promise<boolean> {
  if (config.database.dialect !== 'sqlite') return false
  const connection = await openConnection(config.database.file)
  const statements = openStatements(connection)
  try {
    await statements.change('CREATE VIRTUAL TABLE temp.search_terms USING fts5vocab (main, file_search, instance)', [])
    await statements.change('BEGIN', [])
    const [row] = (await statements.select(indexSum, [])) as { sum: string }[]
    return BigInt(row?.sum ?? 0) !== (await sumOfRows(statements, signal))
  } finally {
    await statements.change('ROLLBACK', []).catch(() => undefined)
    await statements.close()
    await promisify(connection.close.bind(connection))()
  }
}
