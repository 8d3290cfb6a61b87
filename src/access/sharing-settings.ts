/** Reads the settings of sharing, which bind shares and links at once. */
import type { SharingSettings } from '../api/sharing-settings.ts'
import type { Database } from '../db/database.ts'
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

/** The settings as they take effect: what is missing is off. */
export async function findSharing(db: Database): Promise<SharingSettings> {
  const rows = await db.rows<{ key: string; value: string }>(
    `SELECT \`key\`, value FROM settings WHERE ${isOneOf('`key`', Object.values(sharingKeys))}`,
    Object.values(sharingKeys),
  )
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return {
    people: values.get(sharingKeys.people) === 'true',
    everyone: values.get(sharingKeys.everyone) === 'true',
    find_people: values.get(sharingKeys.find_people) === 'names' ? 'names' : 'exact',
    links: values.get(sharingKeys.links) === 'true',
    link_uploads: values.get(sharingKeys.link_uploads) === 'true',
    link_password_required: values.get(sharingKeys.link_password_required) === 'true',
    link_max_days: Number(values.get(sharingKeys.link_max_days) ?? 0),
  }
}
