/** `filestore share`: gives access to items, shows it and ends it. */
import type { Call } from '../../src/api/client.ts'
import type { ShareLevel } from '../../src/api/share-levels.ts'
import { type AccessEntry, createShare, deleteShare, listAccess, listGiven, type Share } from '../../src/api/shares.ts'
import { CommandError } from '../../terminal/exit.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { createCall, unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { findGrantee, isCalled } from '../grantee.ts'
import { collect, readPages } from '../pages.ts'
import { findRemoteItem } from '../remote-path.ts'
import { formatAccess, formatEnded, formatShares } from '../share-cells.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface ShareOptions extends ProfileOption {
  json?: boolean
}

export interface AddShareOptions extends ShareOptions {
  level: ShareLevel
  /** ISO 8601; `never` takes an end away. */
  until?: string
}

/** Gives users and groups access to an item. Who has access already gets the new level. */
export const addShares = (path: string, names: string[], options: AddShareOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const item = await findRemoteItem(call, path)
    // Giving it twice gives the same.
    const callRepeatable = createCall(server, { repeatable: true })
    const expiresAt = options.until === 'never' ? null : options.until
    const terms = { item_id: item.id, level: options.level, expires_at: expiresAt }
    await runEach(server, names, options, formatShares, async name => {
      const { kind, name: found } = await findGrantee(call, name)
      const grantee = kind === 'group' ? { group_name: found } : { username: found }
      return (await callRepeatable(createShare, { ...terms, ...grantee })).share
    })
  })

const readGiven = (call: Call): Promise<Share[]> =>
  collect(
    readPages(async cursor => {
      const { shares, next_cursor } = await call(listGiven, { cursor })
      return { files: shares, next_cursor }
    }),
  )

const readAccess = async (call: Call, path: string): Promise<AccessEntry[]> => {
  const { id } = await findRemoteItem(call, path)
  return (await call(listAccess, { id })).access
}

/** Lists all that the user shares with others, or with a path who has access to that item. */
export const listShares = (path: string | undefined, options: ShareOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    if (path !== undefined) {
      const access = await readAccess(call, path)
      return options.json ? printJson(access) : printData(formatAccess(access))
    }
    const shares = await readGiven(call)
    if (options.json) return printJson(shares)
    if (shares.length === 0) return printNotice('You share nothing yet')
    printData(formatShares(shares))
  })

/** Returns somebody's share on an item. Throws `notFound`, which names the folder if the access comes from there. */
function pickShare(access: readonly AccessEntry[], itemId: number, path: string, name: string): AccessEntry {
  const entries = access.filter(entry => entry.share_id !== null && isCalled(name, entry.who))
  const own = entries.find(({ because }) => because.id === itemId)
  if (own !== undefined) return own
  const [other] = entries
  const reason =
    other === undefined ? 'is not shared with' : `is shared through the folder '${other.because.name}' above it with`
  throw new CommandError('notFound', `'${path}' ${reason} '${name}'`)
}

const idForm = /^id:([1-9]\d{0,15})$/

/** Ends a share by its id, and prints nothing but the id with `--json`. */
const removeById = (text: string, options: ShareOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const [, id] = idForm.exec(text) ?? []
    if (id === undefined)
      throw new CommandError('usage', `Say from whom: 'share rm ${text} <user>', or name a share by its id (id:7)`)
    await call(deleteShare, { id })
    if (options.json) printJson({ id: Number(id) })
  })

const removeFromNames = (path: string, names: string[], options: ShareOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const item = await findRemoteItem(call, path)
    const { access } = await call(listAccess, { id: item.id })
    await runEach(server, names, options, formatEnded, async name => {
      const entry = pickShare(access, item.id, path, name)
      await unlessDone(call(deleteShare, { id: entry.share_id ?? 0 }), 'not_found')
      return entry
    })
  })

/** Ends the access of users and groups to an item, or a share by its id. */
export const removeShares = (item: string, names: string[], options: ShareOptions): Promise<void> =>
  names.length === 0 ? removeById(item, options) : removeFromNames(item, names, options)
