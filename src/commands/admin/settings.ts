/** `filestore admin settings …`. */
import { terminalActor } from '../../access/actor.ts'
import * as api from '../../api/settings.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import * as settings from '../../settings/settings.ts'
import { withRows } from '../open.ts'

/** Throws `not_found`. */
async function findSetting(db: Database, key: string): Promise<api.Setting> {
  const setting = (await settings.listSettings(db)).find(candidate => candidate.key === key)
  if (setting !== undefined) return setting
  throw new AppError('not_found', `There is no setting '${key}', but ${api.settingKeys.join(', ')}`)
}

export const listSettings = (flags: Flags): Promise<api.Setting[]> =>
  withRows(flags, ({ db }) => settings.listSettings(db))

/** Throws `not_found`. */
export const getSetting = (flags: Flags, key: string): Promise<api.Setting> =>
  withRows(flags, ({ db }) => findSetting(db, key))

/** Changes a setting. Throws `not_found`, and `invalid_input` for any value but `true` and `false`. */
export const setSetting = (flags: Flags, key: string, value: string): Promise<api.Setting> =>
  withRows(flags, async ({ db }) => {
    await findSetting(db, key)
    const input = parseInput(api.updateSetting.input, { key, value })
    return settings.updateSetting(db, terminalActor, input.key, input.value)
  })
