/** `filestore share link`, `links`, `edit-link` and `revoke`: links for people without an account. */
import type { InputOf } from '../../src/api/endpoint.ts'
import type { LinkLevel } from '../../src/api/link-levels.ts'
import { explainLinkLevel } from '../../src/api/link-words.ts'
import * as api from '../../src/api/links.ts'
import { CommandError } from '../../terminal/exit.ts'
import { listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm, readSecret } from '../../terminal/prompt.ts'
import { formatTable } from '../../terminal/table.ts'
import { visible } from '../../terminal/visible.ts'
import { unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { formatLinks } from '../link-cells.ts'
import { findLinkId, readLinks, withAddress } from '../links.ts'
import { findRemoteItem } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface LinksOptions extends ProfileOption {
  json?: boolean
}

interface TermOptions extends LinksOptions {
  passwordStdin?: boolean
  /** ISO 8601, or `never`. */
  until?: string
  label?: string
  askName?: boolean
}

export interface CreateLinkOptions extends TermOptions {
  upload?: boolean
  both?: boolean
  maxDownloads?: number
  maxBytes?: number
}

/** A limit; null takes it away. */
interface Limit {
  limit: number | null
}

export interface EditLinkOptions extends TermOptions {
  pause?: boolean
  resume?: boolean
  level?: LinkLevel
  /** False takes the password away; else true. */
  password: boolean
  maxDownloads?: Limit
  maxBytes?: Limit
  takeOver?: boolean
}

export interface RevokeLinkOptions extends LinksOptions {
  yes?: boolean
}

/** Reads a new password. Throws `usage` if there is none. */
async function readNewPassword({ passwordStdin }: TermOptions, signal: AbortSignal): Promise<string | undefined> {
  if (!passwordStdin) return undefined
  const password = await readSecret('Password of the link: ', signal)
  if (password === '') throw new CommandError('usage', 'Standard input holds no password')
  return password
}

/** The end as the API takes it: null for none, undefined to leave it. */
const endOf = ({ until }: TermOptions): string | null | undefined => (until === 'never' ? null : until)

const levelOf = ({ upload, both }: CreateLinkOptions): LinkLevel => (both ? 'both' : upload ? 'upload' : 'view')

/** Makes a link, and prints its address, and to the person at the terminal what it allows. */
export const createLink = (path: string, options: CreateLinkOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const item = await findRemoteItem(call, path)
    const made = await call(api.createLink, {
      item_id: item.id,
      level: levelOf(options),
      label: options.label,
      password: await readNewPassword(options, server.signal),
      expires_at: endOf(options),
      max_downloads: options.maxDownloads,
      max_bytes: options.maxBytes,
      ask_name: options.askName,
    })
    const link = withAddress(made.link, server.url)
    if (options.json) return printJson(link)
    printData(visible(link.url ?? ''))
    printNotice(explainLinkLevel(link.level, item))
  })

/** Lists the user's links, or with a path those of that item with their addresses. */
export const listLinks = (path: string | undefined, options: LinksOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const itemId = path === undefined ? undefined : (await findRemoteItem(call, path)).id
    const links = (await readLinks(call, itemId)).map(link => withAddress(link, server.url))
    if (options.json) return printJson(links)
    if (links.length === 0) return printNotice(path === undefined ? 'You have no links' : `'${path}' has no links`)
    printData(formatLinks(links, path !== undefined))
  })

type Changes = Omit<InputOf<typeof api.updateLink>, 'id'>

/** The changes that the options ask for, but for the password. */
function changesOf(options: EditLinkOptions): Changes {
  const { pause, resume, label } = options
  return {
    is_active: resume ? true : pause ? false : undefined,
    level: options.level,
    label: label === '' ? null : label,
    expires_at: endOf(options),
    password: options.password ? undefined : null,
    max_downloads: options.maxDownloads?.limit,
    max_bytes: options.maxBytes?.limit,
    ask_name: options.askName,
    take_over: options.takeOver ? true : undefined,
  }
}

/** Changes what the options say, and nothing else. Throws `usage` if they say nothing. */
export const editLink = (text: string, options: EditLinkOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const changes = changesOf(options)
    if (!options.passwordStdin && Object.values(changes).every(value => value === undefined)) {
      throw new CommandError('usage', 'Say what to change: --pause, --until 30d, --label …')
    }
    const id = await findLinkId(call, text)
    const password = await readNewPassword(options, server.signal)
    const changed = await call(api.updateLink, { id, ...changes, ...(password === undefined ? {} : { password }) })
    const link = withAddress(changed.link, server.url)
    if (options.json) printJson(link)
    else printData(formatLinks([link]))
  })

interface RevokedLink {
  id: number
}

const formatRevoked = (links: readonly RevokedLink[]): string =>
  formatTable(
    [{ head: 'ID', align: 'right' }, { head: 'STATE' }],
    links.map(({ id }) => [String(id), 'revoked']),
  )

/** Ends links for good, and prints their ids. */
export const revokeLinks = (names: string[], options: RevokeLinkOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(`Revoke ${listNames(names)}?`, options.yes, server.signal)
    await runEach(server, names, options, formatRevoked, async (text): Promise<RevokedLink> => {
      const id = await findLinkId(call, text)
      await unlessDone(call(api.deleteLink, { id }), 'not_found')
      return { id }
    })
  })
