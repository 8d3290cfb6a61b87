/** `filestore keys`: API keys for scripts. */
import type { Call } from '../../src/api/client.ts'
import type { FileDetails } from '../../src/api/items.ts'
import {
  type ApiKey,
  type CreatedApiKey,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  updateApiKey,
} from '../../src/api/keys.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { CommandError } from '../../terminal/exit.ts'
import { listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatRecord, formatTable } from '../../terminal/table.ts'
import { unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { keyState, timeCell } from '../key-cells.ts'
import { pickOne } from '../pick.ts'
import { shownPath } from '../places.ts'
import { findRemoteFolder } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface KeysOptions extends ProfileOption {
  json?: boolean
}

export interface CreateKeyOptions extends KeysOptions {
  permission: Permission[]
  folder?: string
  expiresIn?: number
  perMinute?: number
  perHour?: number
  perDay?: number
}

export interface RevokeOptions extends KeysOptions {
  yes?: boolean
}

/** The paths of the folders that keys are for, by id. */
type Folders = ReadonlyMap<number, string>

async function readKeys(call: Call): Promise<{ keys: ApiKey[]; folders: Folders }> {
  const { api_keys: keys, folders } = await call(listApiKeys, {})
  return { keys, folders: new Map((folders ?? []).map(folder => [folder.id, shownPath(folder)])) }
}

/** Returns the folder of a key; a folder that is gone, or lies outside the reach of the caller, by its id. */
const folderCell = ({ scope_id: id }: ApiKey, folders: Folders): string =>
  id === null ? '-' : (folders.get(id) ?? `id:${id}`)

/** Formats changed keys. `all` are all keys of their user, as they were before the change. */
function formatKeys(keys: readonly ApiKey[], all: readonly ApiKey[], folders: Folders): string {
  const heads = ['KIND', 'STATE', 'LAST USED', 'EXPIRES', 'FOLDER', 'NAME'].map(head => ({ head }))
  const rows = keys.map(key => [
    String(key.id),
    key.kind,
    keyState(key, [...keys, ...all]),
    timeCell(key.last_used_at),
    timeCell(key.expires_at),
    folderCell(key, folders),
    key.name,
  ])
  return formatTable([{ head: 'ID', align: 'right' }, ...heads], rows)
}

const formatCreated = (key: CreatedApiKey, folder: string): string =>
  formatRecord([
    ['Name', key.name],
    ['Key ID', key.key_id],
    ['Secret', key.secret],
    ['Permissions', key.permissions.join(', ')],
    ['Folder', folder],
    ['Expires', timeCell(key.expires_at)],
  ])

export const listKeys = (options: KeysOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const { keys, folders } = await readKeys(call)
    if (options.json) return printJson(keys)
    printData(formatKeys(keys, keys, folders))
  })

/** Finds the folder that a key is for. Throws `notFound`, and `usage` for the root. */
async function findKeyFolder(call: Call, text: string): Promise<FileDetails> {
  const folder = await findRemoteFolder(call, text)
  if (folder !== null) return folder
  throw new CommandError('usage', 'The root is no folder of its own: without --folder a key is for everything')
}

/** Creates a key and prints its secret, which the server shows only this once. */
export const createKey = (name: string, options: CreateKeyOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const folder = options.folder === undefined ? null : await findKeyFolder(call, options.folder)
    const key = await call(createApiKey, {
      name,
      permissions: options.permission,
      expires_in: options.expiresIn,
      rate_limit_per_minute: options.perMinute,
      rate_limit_per_hour: options.perHour,
      rate_limit_per_day: options.perDay,
      ...(folder === null ? {} : { scope_id: folder.id }),
    })
    if (options.json) printJson(key)
    else printData(formatCreated(key, folder === null ? '/' : shownPath(folder)))
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
    const { keys, folders } = await readKeys(call)
    const { id } = pickKey(keys, text)
    const { api_key } = await call(updateApiKey, { id, name })
    if (options.json) printJson(api_key)
    else printData(formatKeys([api_key], keys, folders))
  })

/** Enables or disables keys. */
export const switchKeys = (names: string[], isActive: boolean, options: KeysOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const { keys, folders } = await readKeys(call)
    const format = (changed: readonly ApiKey[]) => formatKeys(changed, keys, folders)
    await runEach(server, names, options, format, async text => {
      const { id } = pickKey(keys, text)
      return (await call(updateApiKey, { id, is_active: isActive })).api_key
    })
  })

/** Deletes keys; requests with them fail from then on. */
export const revokeKeys = (names: string[], options: RevokeOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(`Revoke ${listNames(names)}?`, options.yes, server.signal)
    const { keys, folders } = await readKeys(call)
    const format = (changed: readonly ApiKey[]) => formatKeys(changed, keys, folders)
    await runEach(server, names, options, format, async text => {
      const key = pickKey(keys, text)
      await unlessDone(call(deleteApiKey, { id: key.id }), 'not_found')
      return key
    })
  })
