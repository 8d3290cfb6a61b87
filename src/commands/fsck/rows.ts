/** Checks every column of every row on its own: whether the value is valid. */
import { findBrokenTexts, hexOf } from '../../db/broken-text.ts'
import type { Bind } from '../../db/connections.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { withText } from '../../db/row-text.ts'
import { findTables, type Row, readSlices, type Table } from '../../db/tables.ts'
import { systemActor } from '../../db/write-actor.ts'
import { asText, type Rule } from './column-rules.ts'
import { reportDamage } from './damage.ts'
import type { Check } from './finding.ts'
import { tableRules } from './table-rules.ts'

/**
 * The event noun of each table whose repairs are recorded, besides files and spaces; other tables' rows belong to
 * nobody.
 */
const nouns: Record<string, 'api-key' | 'group' | 'metadata-field' | 'role' | 'tag' | 'user'> = {
  api_keys: 'api-key',
  metadata_fields: 'metadata-field',
  roles: 'role',
  tags: 'tag',
  user_groups: 'group',
  users: 'user',
}

/** The rules for a table's rows. */
interface Rules {
  /** By column: the rule that a value is text, and the rule for the value itself. */
  texts: ReadonlyMap<string, Rule>
  values: ReadonlyMap<string, Rule>
  /** Whether a row that breaks one of `values` is deleted. */
  isDropped: boolean
  /** Whether a row that breaks any rule is deleted, because counts are computed again anyway. */
  isCount: boolean
}

function rulesOf({ name, columns }: Table): Rules {
  const known = tableRules[name]
  const rules = Object.entries(known?.columns ?? {})
  return {
    texts: new Map(columns.filter(({ isText }) => isText).map(column => [column.name, asText(column.name)])),
    values: new Map(
      rules.flatMap(([column, rule]) =>
        typeof rule === 'object' && !rule.isToldElsewhere ? [[column, rule] as const] : [],
      ),
    ),
    isDropped: known?.isDropped === true,
    isCount: name === 'type_counts',
  }
}

interface Place {
  table: Table
  rules: Rules
  row: Row
}

const brokenOf = (rules: Rules['values'], row: Row): Rule[] =>
  [...rules].filter(([column, rule]) => column in row && !rule.fits(row[column], row)).map(([, rule]) => rule)

/** In the order of repair: the key comes first, because the row is found by it. */
function brokenRules({ table, rules, row }: Place): Rule[] {
  const noTexts = brokenOf(rules.texts, row)
  if (noTexts.length === 0) return brokenOf(rules.values, row)
  const ofKey = new Set(table.key.map(column => rules.texts.get(column)))
  const [last, first] = [noTexts.filter(rule => ofKey.has(rule)), noTexts.filter(rule => !ofKey.has(rule))]
  return [...first, ...brokenOf(rules.values, withText(row)), ...last]
}

const keyOf = ({ table, row }: Place): Bind[] => table.key.map(column => row[column] ?? null)
const whereKey = ({ key }: Table): string => key.map((column, at) => `\`${column}\` = $${at + 1}`).join(' AND ')

/** Reads the row again; null when it is gone. */
async function readAgain({ deps: { db } }: Check, place: Place): Promise<Place | null> {
  const columns = place.table.columns.map(({ name }) => `\`${name}\``).join(', ')
  const query = `SELECT ${columns} FROM ${place.table.name} WHERE ${whereKey(place.table)}`
  const row = await db.row<Row>(query, keyOf(place))
  if (row === undefined) return null
  return { ...place, row: db.dialect === 'mariadb' ? withText(row) : row }
}

/** `api_keys 3 'backup'`, for people. */
function titleOf(place: Place): string {
  const { name, username } = place.row
  const called = place.table.key.includes('name') ? undefined : (username ?? name)
  return `${place.table.name} ${keyOf(place).join('/')}${called === undefined ? '' : ` '${called}'`}`
}

/** The column that must be text by this rule; undefined for a rule about the value. */
const textColumnOf = ({ texts }: Rules, rule: Rule): string | undefined =>
  [...texts.keys()].find(column => texts.get(column) === rule)

/** Whether another row has the same key as text. */
const hasTwin = async (check: Check, place: Place): Promise<boolean> =>
  (await readAgain(check, { ...place, row: withText(place.row) })) !== null

/** Records an event, where the table's rows belong to somebody. */
export function recordRepair(record: Recorder, table: string, row: Row, columns: readonly string[]): void {
  const id = Number(row.id)
  const noun = nouns[table]
  const detail = { name: row.username ?? row.name, columns }
  if (table === 'files') record('file.repair', { id, spaceId: Number(row.space_id) }, detail)
  else if (table === 'shares') record('share.repair', { id: Number(row.item_id) }, { columns })
  else if (table === 'links') record('link.repair', { id: Number(row.item_id) }, { columns })
  else if (table === 'spaces') record('space.repair', { id, spaceId: id }, detail)
  else if (table === 'group_members') record('group.repair', { id: Number(row.group_id) }, { columns })
  else if (noun !== undefined) record(`${noun}.repair`, { id }, detail)
}

async function mend(check: Check, place: Place, rule: Rule, record: Recorder): Promise<void> {
  const { db } = check.deps
  const { table, rules } = place
  const row = withText(place.row)
  const key = keyOf(place)
  const textColumn = textColumnOf(rules, rule)
  // A row with a bytes key is never found, so a newer row may have replaced it. Then keep the newer one.
  const isOutdated = textColumn !== undefined && table.key.includes(textColumn) && (await hasTwin(check, place))
  if (rules.isCount || isOutdated || (rules.isDropped && textColumn === undefined)) {
    await db.change(`DELETE FROM ${table.name} WHERE ${whereKey(table)}`, key)
    return
  }
  // Bytes that are no UTF-8 are written as they are read. CAST tells that only SQLite runs this: .ci/statements.mjs.
  const set = textColumn === undefined ? (rule.mend?.(row) ?? {}) : { [textColumn]: row[textColumn] ?? null }
  const columns = Object.keys(set)
  const values = columns.map((column, at) => {
    const value = `$${key.length + at + 1}`
    return `\`${column}\` = ${textColumn === undefined ? value : `CAST(${value} AS TEXT)`}`
  })
  const where = whereKey(table)
  await db.change(`UPDATE ${table.name} SET ${values.join(', ')} WHERE ${where}`, [...key, ...Object.values(set)])
  recordRepair(record, table.name, row, columns)
}

const canMend = ({ rules }: Place, rule: Rule): boolean =>
  rule.mend !== undefined || rules.isDropped || textColumnOf(rules, rule) !== undefined

function repairOf(check: Check, place: Place, rule: Rule): (() => Promise<boolean>) | undefined {
  if (!canMend(place, rule)) return undefined
  const { db } = check.deps
  return () =>
    db.write(systemActor, async record => {
      record.nothing()
      if (place.table.name === 'files') await lockSpace(db, Number(place.row.space_id))
      const current = await readAgain(check, place)
      if (current === null || !brokenRules(current).includes(rule)) return false
      await mend(check, current, rule, record)
      return true
    })
}

async function reportRow(check: Check, found: Place): Promise<void> {
  const place = await readAgain(check, found)
  if (place === null) return
  for (const rule of brokenRules(place)) {
    const about = (table: string) => (place.table.name === table ? Number(place.row.id) : null)
    const finding = {
      verdict: canMend(place, rule) ? 'repairable' : 'lost',
      problem: 'row-value',
      name: titleOf(place),
      detail: rule.detail,
      file_id: about('files'),
      blob_id: about('blobs'),
      space_id: about('spaces'),
    } as const
    await check.report(finding, repairOf(check, place, rule))
  }
}

/** Writes the text as everybody has read it, unless the row cannot be found by its key. */
async function mendText(check: Check, place: Place, column: string): Promise<boolean> {
  const { db } = check.deps
  return db.write(systemActor, async record => {
    record.nothing()
    if (place.table.name === 'files') await lockSpace(db, Number(place.row.space_id))
    // A running server may have given the row other text meanwhile, which must stay.
    const current = await readAgain(check, place)
    if (current === null) return false
    const { table, row } = current
    if (!(await findBrokenTexts(db, table, row)).includes(column)) return false
    const text = String(row[column])
    const at = table.key.length
    const sql = `UPDATE ${table.name} SET \`${column}\` = $${at + 1} WHERE ${whereKey(table)} AND HEX(\`${column}\`) <> $${at + 2}`
    await db.change(sql, [...keyOf(current), text, hexOf(text)])
    recordRepair(record, table.name, row, [column])
    return true
  })
}

async function reportBrokenTexts(check: Check, found: Place): Promise<void> {
  for (const column of await findBrokenTexts(check.deps.db, found.table, found.row)) {
    const inKey = found.table.key.includes(column)
    const detail = `its ${column} is not UTF-8, and is read with \uFFFD for what is not`
    const verdict = inKey ? 'lost' : 'repairable'
    const finding = { verdict, problem: 'row-value', name: titleOf(found), detail } as const
    await check.report(finding, inKey ? undefined : () => mendText(check, found, column))
  }
}

async function checkTable(check: Check, table: Table, rules: Rules): Promise<void> {
  for await (const rows of readSlices(check.deps.db, table)) {
    check.signal.throwIfAborted()
    for (const row of rows) {
      const place = { table, rules, row }
      if (brokenRules(place).length > 0) await reportRow(check, place)
      await reportBrokenTexts(check, place)
    }
  }
}

/** Checks only the text columns of one table, for data that must be readable before the other checks. */
export async function checkTexts(check: Check, name: string): Promise<void> {
  const table = (await findTables(check.deps.db)).find(found => found.name === name)
  if (table !== undefined) await checkTable(check, table, { ...rulesOf(table), values: new Map() })
}

export async function checkRows(check: Check): Promise<void> {
  for (const table of await findTables(check.deps.db)) {
    const rules = rulesOf(table)
    // Skip tables without rules, such as the bytes of small files: those are checked with their content.
    if (rules.texts.size === 0 && rules.values.size === 0) continue
    await reportDamage(check, `table ${table.name}`, () => checkTable(check, table, rules))
  }
}
