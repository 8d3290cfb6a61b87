/** Checks the database itself: its own integrity check, and foreign keys without a target. */
import type { Database } from '../../db/database.ts'
import { systemActor } from '../../db/write-actor.ts'
import { type Check, damageProblem } from './finding.ts'
import { nameLostGroup } from './lost-groups.ts'
import { checkSqliteFile } from './sqlite-file.ts'

/** CHECK TABLE reads each table and counts the rows of its indexes; it answers only when something is wrong. */
async function checkMariadbTables(check: Check): Promise<void> {
  const { db } = check.deps
  const tables = await db.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name`,
  )
  for (const { name } of tables) {
    check.signal.throwIfAborted()
    const answers = await db.rows<{ Msg_type: string; Msg_text: string }>(`CHECK TABLE \`${name}\``)
    for (const { Msg_text: detail } of answers.filter(({ Msg_type }) => Msg_type === 'error')) {
      await check.report({ verdict: 'lost', problem: damageProblem, name: `table ${name}`, detail })
    }
  }
}

/** A foreign key. */
interface Reference {
  child: string
  child_column: string
  parent: string
  parent_column: string
  /** CASCADE, SET NULL, or another action. */
  on_delete: string
}

/** Read from the schema. */
const referencesQuery: Record<Database['dialect'], string> = {
  sqlite: `SELECT m.name AS child, k."from" AS child_column, k."table" AS parent, k."to" AS parent_column, k.on_delete
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k WHERE m.type = 'table' ORDER BY m.name, k."from"`,
  mariadb: `SELECT k.table_name AS child, k.column_name AS child_column, k.referenced_table_name AS parent,
      k.referenced_column_name AS parent_column, c.delete_rule AS on_delete
    FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints c
      ON c.constraint_schema = k.constraint_schema AND c.constraint_name = k.constraint_name
        AND c.table_name = k.table_name
    WHERE k.table_schema = DATABASE() AND k.referenced_table_name IS NOT NULL
    ORDER BY k.table_name, k.column_name`,
}

/** items.ts reports these item by item, with names. */
const isToldElsewhere = ({ child, child_column }: Reference): boolean =>
  child === 'files' && ['parent_id', 'blob_id', 'owner_id'].includes(child_column)

/** A personal space without an owner may be given back (space-owners.ts), and a team's gets another (team-owners.ts). */
const notOthers = ({ child, child_column }: Reference): string =>
  child === 'spaces' && child_column === 'owner_id' ? " AND c.kind NOT IN ('personal', 'team')" : ''

const danglingRows = (reference: Reference): string => {
  const { child, child_column, parent, parent_column } = reference
  return `FROM ${child} c WHERE c.${child_column} IS NOT NULL${notOthers(reference)}
     AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE p.${parent_column} = c.${child_column})`
}

/**
 * Does what the foreign key's action would have done. Undefined when that would delete bytes, or the action is neither.
 */
function repairStatement({ child, child_column, on_delete }: Reference): string | undefined {
  const those = `WHERE ${child_column} = $1`
  if (on_delete === 'SET NULL') return `UPDATE ${child} SET ${child_column} = NULL ${those}`
  return on_delete === 'CASCADE' && child !== 'blob_bytes' ? `DELETE FROM ${child} ${those}` : undefined
}

/** Told once places.ts has given back the items that still have a folder. */
const isOfPlace = ({ child, child_column }: Reference): boolean => child === 'files' && child_column === 'space_id'

async function checkReference(check: Check, reference: Reference): Promise<void> {
  const { db } = check.deps
  const { child, child_column, parent } = reference
  const dangling = danglingRows(reference)
  const sql = repairStatement(reference)
  const groups = await db.rows<{ value: number; rows_there: number }>(
    `SELECT c.${child_column} AS value, COUNT(*) AS rows_there ${dangling} GROUP BY c.${child_column}`,
  )
  for (const { value, rows_there } of groups) {
    const group = parent === 'user_groups' ? await nameLostGroup(db, value) : undefined
    const isKept = group !== undefined && !check.options.acceptLost
    const rows = `${rows_there} row${rows_there === 1 ? '' : 's'}`
    const finding = {
      verdict: sql === undefined || isKept ? 'lost' : 'repairable',
      problem: group === undefined ? 'dangling-row' : 'group-lost',
      name: group ?? `table ${child}`,
      detail:
        group === undefined
          ? `${rows} with ${child_column} ${value}, of which there is none in ${parent}`
          : `its row is lost, and ${rows} of table ${child} name it: restore a backup, or give them up with --accept-lost`,
    } as const
    const repair = () =>
      db.write(systemActor, async record => {
        record.nothing()
        const [row] = await db.rows(`SELECT 1 AS found ${dangling} AND c.${child_column} = $1 LIMIT 1`, [value])
        if (row !== undefined && sql !== undefined) await db.change(sql, [value])
        return row !== undefined
      })
    await check.report(finding, sql === undefined || isKept ? undefined : repair)
  }
}

export async function checkDatabase(check: Check): Promise<void> {
  const { db } = check.deps
  await (db.dialect === 'sqlite' ? checkSqliteFile : checkMariadbTables)(check)
  for (const reference of await db.rows<Reference>(referencesQuery[db.dialect])) {
    check.signal.throwIfAborted()
    if (!isToldElsewhere(reference) && !isOfPlace(reference)) await checkReference(check, reference)
  }
}

/** Reports the items whose space is missing. */
export async function checkSpacesOfFiles(check: Check): Promise<void> {
  const { db } = check.deps
  const references = await db.rows<Reference>(referencesQuery[db.dialect])
  for (const reference of references.filter(isOfPlace)) await checkReference(check, reference)
}
