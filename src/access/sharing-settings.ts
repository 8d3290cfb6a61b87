/** Reads the settings of sharing, which bind shares and links at once. */
import type { SharingSettings } from '../api/sharing-settings.ts'
import type { Database } from '../db/database.ts'
import { type StoredSetting, settingOf } from '../db/stored-settings.ts'
import { isOneOf } from '../db/values.ts'

/** The rows of the table of settings, by the names of the settings. */
export const sharingKeys = {
  people: 'sharing_people',
  everyone: 'sharing_everyone',
  find_people: 'sharing_find_people',
  links: 'sharing_links',
  link_uploads: 'sharing_link_uploads',
  link_password_required: 'sharing_link_password_required',
  link_max_days: 'sharing_link_max_days',
} as const satisfies Record<keyof SharingSettings, string>

/** The settings as they take effect. */
export async function findSharing(db: Database): Promise<SharingSettings> {
  const rows = await db.rows<{ key: string; value: string }>(
    `SELECT \`key\`, value FROM settings WHERE ${isOneOf('`key`', Object.values(sharingKeys))}`,
    Object.values(sharingKeys),
  )
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  const readValue = <Key extends StoredSetting>(key: Key) => settingOf(key, values.get(key))
  return {
    people: readValue(sharingKeys.people) === 'true',
    everyone: readValue(sharingKeys.everyone) === 'true',
    find_people: readValue(sharingKeys.find_people),
    links: readValue(sharingKeys.links) === 'true',
    link_uploads: readValue(sharingKeys.link_uploads) === 'true',
    link_password_required: readValue(sharingKeys.link_password_required) === 'true',
    link_max_days: Number(readValue(sharingKeys.link_max_days)),
  }
}
