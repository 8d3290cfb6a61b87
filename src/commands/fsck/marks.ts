/** Checks tags and metadata: on files only, no empty value. */
import { afterCondition, createBinds, orderBy } from '../../db/keyset.ts'
import { readPages } from '../../db/read-on.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'

interface Mark {
  file_id: number
  /** The tag or the metadata field. */
  mark_id: number
  mark: string
}

/** One kind of rows that no file may have. */
interface MarkProblem {
  problem: string
  table: 'file_tags' | 'file_metadata'
  /** The column with the tag or the field. */
  column: 'tag_id' | 'field_id'
  /** The query for Marks. Its rows are those of `l`. */
  query: string
  /** The rest of a sentence about the item. */
  detail: (mark: string) => string
}

const tagged = `SELECT l.file_id, l.tag_id AS mark_id, t.name AS mark FROM file_tags l
  JOIN tags t ON t.id = l.tag_id JOIN files f ON f.id = l.file_id`
const described = `SELECT l.file_id, l.field_id AS mark_id, d.name AS mark FROM file_metadata l
  JOIN metadata_fields d ON d.id = l.field_id JOIN files f ON f.id = l.file_id`
// Something with content is a file, whatever is_directory says; rows.ts reports that.
const isFolder = 'f.is_directory = 1 AND f.blob_id IS NULL AND f.mime_type IS NULL'

const ofTags = { table: 'file_tags', column: 'tag_id' } as const
const ofMetadata = { table: 'file_metadata', column: 'field_id' } as const

const problems: readonly MarkProblem[] = [
  {
    ...ofTags,
    problem: 'folder-tag',
    query: `${tagged} WHERE ${isFolder}`,
    detail: tag => `it is a folder, and has the tag '${tag}'`,
  },
  {
    ...ofMetadata,
    problem: 'folder-metadata',
    query: `${described} WHERE ${isFolder}`,
    detail: field => `it is a folder, and has a value of '${field}'`,
  },
  {
    ...ofMetadata,
    problem: 'empty-metadata',
    query: `${described} WHERE OCTET_LENGTH(l.value) = 0`,
    detail: field => `its value of '${field}' is empty`,
  },
]

/** Rows per page: all of them may not fit into memory, and each page runs the join again. */
const pageSize = 1000

async function checkProblem(check: Check, found: MarkProblem): Promise<void> {
  const { db } = check.deps
  const key = [`l.${found.column}`, 'l.file_id']
  const pages = readPages<Mark>(db, {
    read: after => {
      const { values, add } = createBinds()
      const behind = afterCondition(key, after.map(Number), 'asc', add)
      return db.rows(`${found.query} AND ${behind} ORDER BY ${orderBy(key, 'asc')} LIMIT ${pageSize}`, values)
    },
    keyOf: ({ mark_id, file_id }) => [mark_id, file_id],
    start: [0, 0],
    size: pageSize,
  })
  for await (const rows of pages) for (const row of rows) await reportMark(check, found, row)
}

async function reportMark({ deps: { db }, report, signal }: Check, found: MarkProblem, row: Mark): Promise<void> {
  signal.throwIfAborted()
  const { table, column, query } = found
  const key = [row.mark_id, row.file_id]
  const isStill = async () => (await db.row(`${query} AND l.${column} = $1 AND l.file_id = $2`, key)) !== undefined
  // The row may have changed since its page was read.
  if (!(await isStill())) return
  const finding = {
    verdict: 'repairable',
    problem: found.problem,
    name: `${await nameItem(db, row.file_id)} (id:${row.file_id})`,
    detail: found.detail(row.mark),
    file_id: row.file_id,
  } as const
  await report(finding, () =>
    db.touch(async () => {
      if (!(await isStill())) return false
      return (await db.change(`DELETE FROM ${table} WHERE ${column} = $1 AND file_id = $2`, key)) === 1
    }),
  )
}

export async function checkMarks(check: Check): Promise<void> {
  for (const problem of problems) await checkProblem(check, problem)
}
