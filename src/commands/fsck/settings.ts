/** Checks the system's settings: each has a row, and there are no others. */

import { type StoredSetting, storedSettingKeys, storedSettings } from '../../db/stored-settings.ts'
import type { Row } from '../../db/tables.ts'
import { systemActor } from '../../db/write-actor.ts'
import { either, oneOf, type TableRules, time } from './column-rules.ts'
import type { Check } from './finding.ts'

const isKnown = (key: unknown): key is StoredSetting => storedSettingKeys.some(known => known === key)

const valueRule = ({ key }: Row) =>
  isKnown(key)
    ? oneOf('value', storedSettings[key].values, () => ({ value: storedSettings[key].strict }))
    : oneOf('value', ['true', 'false'], () => ({ value: 'false' }))

/** A row with an unknown key is deleted; the setting that is then missing is made anew. */
export const settingRules: TableRules = {
  columns: {
    key: oneOf('key', storedSettingKeys),
    value: either(valueRule, 'its value is none of those that there are'),
    updated_at: time('updated_at'),
  },
  isDropped: true,
}

async function addSetting({ deps: { db } }: Check, key: StoredSetting): Promise<boolean> {
  return db.write(systemActor, async record => {
    record.nothing()
    if ((await db.row('SELECT value FROM settings WHERE `key` = $1', [key])) !== undefined) return false
    const value = storedSettings[key].strict
    await db.change('INSERT INTO settings (`key`, value, updated_at) VALUES ($1, $2, $3)', [key, value, Date.now()])
    record('setting.update', { id: null }, { key, value })
    return true
  })
}

export async function checkSettings(check: Check): Promise<void> {
  const rows = await check.deps.db.rows<{ key: string }>('SELECT `key` FROM settings')
  for (const key of storedSettingKeys.filter(known => !rows.some(row => row.key === known))) {
    const detail = `it is missing, and counts as '${storedSettings[key].strict}', which --repair makes it`
    await check.report({ verdict: 'repairable', problem: 'setting-missing', name: `setting ${key}`, detail }, () =>
      addSetting(check, key),
    )
  }
}
