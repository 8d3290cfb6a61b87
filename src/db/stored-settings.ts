/** The rows of the table of settings: the values of each, and what one counts as that is missing or cannot be read. */
import { maxLinkDays } from '../api/limits.ts'

/** `strict` is the value that allows least; `fsck --repair` writes it, too. */
const setting = <const Values extends readonly string[]>(values: Values, strict: Values[number]) => ({ values, strict })

const onOff = ['true', 'false'] as const
const offIsStrict = setting(onOff, 'false')
const onIsStrict = setting(onOff, 'true')

export const storedSettings = {
  validation_enabled: onIsStrict,
  allow_self_validation: offIsStrict,
  auto_validate_admin: offIsStrict,
  // While it is off, no metadata is required.
  metadata_enabled: onIsStrict,
  metadata_required_on_upload: onIsStrict,
  sharing_people: offIsStrict,
  sharing_everyone: offIsStrict,
  sharing_find_people: setting(['names', 'exact'], 'exact'),
  sharing_links: offIsStrict,
  sharing_link_uploads: offIsStrict,
  sharing_link_password_required: onIsStrict,
  // 0 is no limit.
  sharing_link_max_days: setting(
    Array.from({ length: maxLinkDays + 1 }, (_, days) => String(days)),
    '1',
  ),
} as const

export type StoredSetting = keyof typeof storedSettings
type ValueOf<Key extends StoredSetting> = (typeof storedSettings)[Key]['strict']

export const storedSettingKeys = Object.keys(storedSettings) as StoredSetting[]

/** The value of a setting as it takes effect; `stored` is that of its row, if there is one. */
export function settingOf<Key extends StoredSetting>(key: Key, stored: unknown): ValueOf<Key> {
  const { values, strict } = storedSettings[key]
  return values.some(known => known === stored) ? (stored as ValueOf<Key>) : strict
}
