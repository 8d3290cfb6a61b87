/** Checks the system's settings: each has a row, and there are no others. */
import { type SettingKey, settingKeys } from '../../api/settings.ts'
import { systemActor } from '../../db/write.ts'
import { oneOf, type TableRules, time } from './column-rules.ts'
import type { Check } from './finding.ts'

/** The value in a new database (migrations/0018-default-settings.ts). */
const defaultOf = (key: unknown): 'true' | 'false' => (key === 'metadata_enabled' ? 'true' : 'false')

/** A row with an unknown key is deleted; the setting that is then missing gets its default. */
export const settingRules: TableRules = {
  columns: {
    key: oneOf('key', settingKeys),
    value: oneOf('value', ['true', 'false'], ({ key }) => ({ value: defaultOf(key) })),
    updated_at: time('updated_at'),
  },
  isDropped: true,
}

async function addSetting({ deps: { db } }: Check, key: SettingKey): Promise<boolean> {
  return db.write(systemActor, async record => {
    record.nothing()
    if ((await db.row('SELECT value FROM settings WHERE `key` = $1', [key])) !== undefined) return false
    const value = defaultOf(key)
    await db.change('INSERT INTO settings (`key`, value, updated_at) VALUES ($1, $2, $3)', [key, value, Date.now()])
    record('setting.update', { id: null }, { key, value })
    return true
  })
}

export async function checkSettings(check: Check): Promise<void> {
  const rows = await check.deps.db.rows<{ key: string }>('SELECT `key` FROM settings')
  for (const key of settingKeys.filter(known => !rows.some(row => row.key === known))) {
    const detail = `it is missing, and counts as off; its default is '${defaultOf(key)}'`
    await check.report({ verdict: 'repairable', problem: 'setting-missing', name: `setting ${key}`, detail }, () =>
      addSetting(check, key),
    )
  }
}
