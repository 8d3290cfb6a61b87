/** Reads the settings as they take effect. */
import { type SettingKey, settingKeys } from '../api/settings.ts'
import type { Database } from '../db/database.ts'
import { settingOf } from '../db/stored-settings.ts'
import { isOneOf } from '../db/values.ts'

export interface SettingRow {
  key: SettingKey
  value: 'true' | 'false'
  updated_at: number
}

/** The five switches of approval and metadata. */
export async function findSettings(db: Database): Promise<SettingRow[]> {
  const rows = await db.rows<SettingRow>(
    `SELECT \`key\`, value, updated_at FROM settings WHERE ${isOneOf('`key`', settingKeys)}`,
    settingKeys,
  )
  return rows.map(row => ({ ...row, value: settingOf(row.key, row.value) }))
}

export type Switches = Readonly<Record<SettingKey, boolean>>

/** The switches as they take effect: a dependent switch is off while its parent is off, whatever its row says. */
export async function findSwitches(db: Database): Promise<Switches> {
  const rows = await findSettings(db)
  const isOn = (key: SettingKey): boolean => settingOf(key, rows.find(row => row.key === key)?.value) === 'true'
  const validation = isOn('validation_enabled')
  const metadata = isOn('metadata_enabled')
  return {
    validation_enabled: validation,
    allow_self_validation: validation && isOn('allow_self_validation'),
    auto_validate_admin: validation && isOn('auto_validate_admin'),
    metadata_enabled: metadata,
    metadata_required_on_upload: metadata && isOn('metadata_required_on_upload'),
  }
}
