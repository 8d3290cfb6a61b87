/** Checks that tables, columns, indexes and triggers are those that the migrations create. */
import { findExpectedSchema, findSchema, isSamePart, type SchemaPart } from '../../db/schema.ts'
import { remadeTables } from './damage.ts'
import { type Check, damageProblem } from './finding.ts'
import { makeIndex } from './indexes.ts'
import { changeOnce, changeSchema } from './schema-changes.ts'

const keyOf = ({ kind, table, name }: SchemaPart): string => [kind, table, name].join('\0')
const nounOf = ({ kind }: SchemaPart): string => (kind === 'reference' ? 'foreign key' : kind)
const titleOf = (part: SchemaPart): string =>
  ['column', 'reference'].includes(part.kind) || part.name === 'PRIMARY'
    ? `${nounOf(part)} ${part.name} of table ${part.table}`
    : `${nounOf(part)} ${part.name}`

/** The statements that recreate a table with everything that belongs to it. */
function makeTable(parts: readonly SchemaPart[], dialect: string): string[] {
  // The search index creates some of its tables itself.
  if (dialect === 'sqlite') {
    return parts.map(({ definition }) => definition.replace(/^CREATE (VIRTUAL )?TABLE /, '$&IF NOT EXISTS '))
  }
  const lines = parts.filter(({ kind }) => ['column', 'index', 'reference'].includes(kind))
  const [own] = parts
  return [`CREATE TABLE ${own?.table} (${lines.map(({ definition }) => definition).join(', ')}) ${own?.definition}`]
}

/** Replaces a trigger. */
async function makeTrigger({ deps: { db } }: Check, { name, definition }: SchemaPart): Promise<void> {
  await changeOnce(db, `DROP TRIGGER IF EXISTS ${name}`)
  await changeOnce(db, db.dialect === 'sqlite' ? definition : `CREATE ${definition}`)
}

async function makeReference({ deps: { db } }: Check, { table, definition }: SchemaPart): Promise<void> {
  await changeOnce(db, `ALTER TABLE ${table} ADD ${definition}`)
}

type Make = () => Promise<void>

/** How to correct a part; undefined when that would lose rows. */
function findMake(check: Check, part: SchemaPart, expected: readonly SchemaPart[], isThere: boolean): Make | undefined {
  const { db } = check.deps
  if (part.kind === 'index') return () => makeIndex(check, part)
  if (part.kind === 'trigger') return () => makeTrigger(check, part)
  if (part.kind === 'reference') return () => makeReference(check, part)
  if (part.kind !== 'table' || isThere || !remadeTables.test(part.name)) return undefined
  return async () => {
    const own = expected.filter(({ table }) => table === part.table)
    for (const sql of makeTable(own, db.dialect)) await changeOnce(db, sql)
  }
}

async function reportPart(check: Check, part: SchemaPart, isThere: boolean, make: Make | undefined): Promise<void> {
  const { db } = check.deps
  const finding = {
    verdict: make === undefined ? 'lost' : 'repairable',
    // When a table is missing or wrong, nobody can tell which bytes are unused.
    problem: make === undefined ? damageProblem : 'schema',
    name: titleOf(part),
    detail: isThere ? `it is not the ${nounOf(part)} that filestore has made` : 'it is missing',
  } as const
  const repair = async () => {
    await changeSchema(db, make ?? (async () => undefined))
    return true
  }
  await check.report(finding, make === undefined ? undefined : repair)
}

/** Whether a foreign part changes rows, or refuses what filestore writes. */
const acts = ({ kind, definition }: SchemaPart): boolean =>
  ['trigger', 'event'].includes(kind) || (kind === 'index' && /\bUNIQUE\b/.test(definition))

/** A name as SQL, whatever characters somebody has put into it; SQLite takes backticks, too. */
const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Reports a part that filestore has not created. */
async function reportExtra(check: Check, part: SchemaPart): Promise<void> {
  const { db } = check.deps
  const isDropped = acts(part)
  const where = part.kind === 'index' && db.dialect === 'mariadb' ? ` ON ${quoted(part.table)}` : ''
  const detail = 'filestore has not made it'
  const finding = { verdict: isDropped ? 'repairable' : 'ok', problem: 'schema', name: titleOf(part), detail } as const
  const drop = async () => {
    await changeOnce(db, `DROP ${part.kind} ${quoted(part.name)}${where}`)
    return true
  }
  await check.report(finding, isDropped ? drop : undefined)
}

/** Whether a part keeps what folders count in step with their items. */
const counts = ({ kind, table }: SchemaPart): boolean =>
  (kind === 'trigger' && table === 'files') || table === 'folder_counts'

export async function checkSchema(check: Check): Promise<void> {
  const { db } = check.deps
  const expected = await findExpectedSchema(db)
  const there = new Map((await findSchema(db)).map(part => [keyOf(part), part]))
  const missing = new Set<string>()
  for (const part of expected) {
    check.signal.throwIfAborted()
    const found = there.get(keyOf(part))
    there.delete(keyOf(part))
    if ((found !== undefined && isSamePart(found, part)) || missing.has(part.table)) continue
    if (part.kind === 'table' && found === undefined) missing.add(part.table)
    if (counts(part)) check.areCountsStale = true
    await reportPart(check, part, found !== undefined, findMake(check, part, expected, found !== undefined))
  }
  for (const part of there.values()) await reportExtra(check, part)
}
