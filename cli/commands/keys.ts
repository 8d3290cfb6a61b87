/** `filestore keys`: API keys for scripts. */
import type { Call } from '../../src/api/client.ts'
import {
  type ApiKey,
  type CreatedApiKey,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  updateApiKey,
} from '../../src/api/keys.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatRecord, formatTable } from '../../terminal/table.ts'
import { unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { keyState, timeCell } from '../key-cells.ts'
import { pickOne } from '../pick.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface KeysOptions extends ProfileOption {
  json?: boolean
}

export interface CreateKeyOptions extends KeysOptions {
  permission: Permission[]
  expiresIn?: number
  perMinute?: number
  perHour?: number
  perDay?: number
}

export interface RevokeOptions extends KeysOptions {
  yes?: boolean
}

const readKeys = async (call: Call): Promise<ApiKey[]> => (await call(listApiKeys, {})).api_keys

/** Formats changed keys. `all` are all keys of their user, as they were before the change. */
function formatKeys(keys: readonly ApiKey[], all: readonly ApiKey[]): string {
  const heads = ['KIND', 'STATE', 'LAST USED', 'EXPIRES', 'NAME'].map(head => ({ head }))
  const rows = keys.map(key => [
    String(key.id),
    key.kind,
    keyState(key, [...keys, ...all]),
    timeCell(key.last_used_at),
    timeCell(key.expires_at),
    key.name,
  ])
  return formatTable([{ head: 'ID', align: 'right' }, ...heads], rows)
}

const formatCreated = (key: CreatedApiKey): string =>
  formatRecord([
    ['Name', key.name],
    ['Key ID', key.key_id],
    ['Secret', key.secret],
    ['Permissions', key.permissions.join(', ')],
    ['Expires', timeCell(key.expires_at)],
  ])

export const listKeys = (options: KeysOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const keys = await readKeys(call)
    if (options.json) return printJson(keys)
    printData(formatKeys(keys, keys))
  })

/** Creates a key and prints its secret, which the server shows only this once. */
export const createKey = (name: string, options: CreateKeyOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const key = await call(createApiKey, {
      name,
      permissions: options.permission,
      expires_in: options.expiresIn,
      rate_limit_per_minute: options.perMinute,
      rate_limit_per_hour: options.perHour,
      rate_limit_per_day: options.perDay,
    })
    if (options.json) printJson(key)
    else printData(formatCreated(key))
    printNotice('The secret is shown this once: keep it now')
  })

/**
 * Returns the key that a name, a key id or `id:7` stands for. Throws `notFound`, and `usage` if several have the name.
 */
const pickKey = (keys: readonly ApiKey[], text: string): ApiKey =>
  pickOne(keys, text, 'among your API keys', ({ key_id, name }) => [key_id, name])

/** Renames a key. */
export const renameKey = (text: string, name: string, options: KeysOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const keys = await readKeys(call)
    const { id } = pickKey(keys, text)
    const { api_key } = await call(updateApiKey, { id, name })
    if (options.json) printJson(api_key)
    else printData(formatKeys([api_key], keys))
  })

/** Enables or disables keys. */
export const switchKeys = (names: string[], isActive: boolean, options: KeysOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const keys = await readKeys(call)
    const format = (changed: readonly ApiKey[]) => formatKeys(changed, keys)
    await runEach(server, names, options, format, async text => {
      const { id } = pickKey(keys, text)
      return (await call(updateApiKey, { id, is_active: isActive })).api_key
    })
  })

/** Deletes keys; requests with them fail from then on. */
export const revokeKeys = (names: string[], options: RevokeOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(`Revoke ${listNames(names)}?`, options.yes, server.signal)
    const keys = await readKeys(call)
    const format = (changed: readonly ApiKey[]) => formatKeys(changed, keys)
    await runEach(server, names, options, format, async text => {
      const key = pickKey(keys, text)
      await unlessDone(call(deleteApiKey, { id: key.id }), 'not_found')
      return key
    })
  })
