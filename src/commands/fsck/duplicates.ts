/** Checks for rows with a key that another row has, which a lost unique index has let in. */
import type { Database } from '../../db/database.ts'
import { findTableForms, type TableForm } from '../../db/table-forms.ts'
import { isOwnTable, type Row } from '../../db/tables.ts'
import { findDuplicateKeys } from '../../db/unique-keys.ts'
import { systemActor } from '../../db/write-actor.ts'
import { tellTaken, titleOf } from '../backup/row-check.ts'
import type { Check } from './finding.ts'

/** Making the index of names anew renames the items itself. */
const isMadeFree = ({ name }: TableForm, columns: readonly string[]): boolean =>
  name === 'files' && columns.includes('live_parent')

/** Whether rows with the same key are equal, so that all but one may go. */
const isWholeRow = ({ columns }: TableForm, key: readonly string[]): boolean =>
  columns.every(({ name }) => key.includes(name))

async function keepOne(db: Database, { name }: TableForm, row: Row): Promise<boolean> {
  const columns = Object.keys(row).map(column => `\`${column}\``)
  const values = Object.values(row)
  const same = columns.map((column, at) => `${column} = $${at + 1}`).join(' AND ')
  return db.write(systemActor, async record => {
    record.nothing()
    if ((await db.change(`DELETE FROM \`${name}\` WHERE ${same}`, values)) === 0) return false
    const places = values.map((_, at) => `$${at + 1}`).join(', ')
    await db.change(`INSERT INTO \`${name}\` (${columns.join(', ')}) VALUES (${places})`, values)
    return true
  })
}

export async function checkDuplicates(check: Check): Promise<void> {
  const { db } = check.deps
  const forms = await findTableForms()
  for (const form of forms.values()) {
    check.signal.throwIfAborted()
    if (!isOwnTable(form.name)) continue
    for (const { columns, row } of await findDuplicateKeys(db, form)) {
      if (isMadeFree(form, columns)) continue
      const mayGo = isWholeRow(form, columns)
      const finding = {
        verdict: mayGo ? 'repairable' : 'lost',
        problem: 'duplicate-row',
        name: `row ${titleOf(form, row)}`,
        detail: tellTaken(columns),
      } as const
      await check.report(finding, mayGo ? () => keepOne(db, form, row) : undefined)
    }
  }
}
