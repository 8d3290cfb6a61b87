import { maxLinkDays } from '../api/limits.ts'

/** The rows of the table of settings: by key, the values that it can have; the first is that of a new database. */
const offByDefault = ['false', 'true'] as const
const onByDefault = ['true', 'false'] as const

export const storedSettings = {
  validation_enabled: offByDefault,
  allow_self_validation: offByDefault,
  auto_validate_admin: offByDefault,
  metadata_enabled: onByDefault,
  metadata_required_on_upload: offByDefault,
  sharing_people: onByDefault,
  sharing_everyone: onByDefault,
  sharing_find_people: ['names', 'exact'],
  sharing_links: onByDefault,
  sharing_link_uploads: onByDefault,
  sharing_link_password_required: offByDefault,
  sharing_link_max_days: Array.from({ length: maxLinkDays + 1 }, (_, days) => String(days)),
} as const satisfies Record<string, readonly string[]>

export type StoredSetting = keyof typeof storedSettings
export const storedSettingKeys = Object.keys(storedSettings) as StoredSetting[]
