/** The five system settings, each an on/off switch. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, nothing, time } from './fields.ts'

export const settingKeys = [
  'validation_enabled',
  'allow_self_validation',
  'auto_validate_admin',
  'metadata_enabled',
  'metadata_required_on_upload',
] as const
export type SettingKey = (typeof settingKeys)[number]

export const setting = z.object({ key: z.enum(settingKeys), value: z.enum(['true', 'false']), updated_at: time })
export type Setting = z.output<typeof setting>

export const listSettings = endpoint('GET', '/settings', nothing).returns(
  z.array(setting),
  about('List the system settings'),
)

/** Sets one switch. A dependent switch can be set but has no effect while its parent is off. An unknown key is 404. */
export const updateSetting = endpoint(
  'PUT',
  '/settings/:key',
  z.strictObject({
    key: z.string().check(atMostUnits(64, 'The key is longer than 64 characters')),
    value: z.enum(['true', 'false'], "Expected 'true' or 'false'"),
  }),
).returns(setting, about('Change a system setting', { errors: ['not_found'] }))
