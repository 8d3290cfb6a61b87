/** Shows who has access to an item, and why, and the links to it. */
import type { Profile } from '../../src/api/auth.ts'
import type { Link } from '../../src/api/links.ts'
import { accessRank, isTeamFolder, type Sharable } from '../../src/api/share-words.ts'
import { type AccessEntry, listAccess } from '../../src/api/shares.ts'
import { readLinks, withAddress } from '../links.ts'
import { type App, attempt } from './app.ts'
import type { SharedItem, Sharing } from './modes.ts'
import { backToList } from './prompting.ts'
import { mayGive, mayLink } from './share-rights.ts'
import { quoteName } from './text.ts'

export function updateDialog(app: App, item: Sharable, change: Partial<Sharing>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'share' && mode.item.id === item.id) app.store.set({ mode: { ...mode, ...change } })
}

async function readAccess(app: App, item: SharedItem): Promise<AccessEntry[]> {
  if (!mayGive(app.store.get(), item)) return []
  const { access } = await app.call(listAccess, { id: item.id })
  return [...access].sort((a, b) => accessRank(a, item.id) - accessRank(b, item.id))
}

/** The item's own links, the newest first; none if the user may not make any. */
async function readOwnLinks(app: App, item: SharedItem): Promise<Link[]> {
  if (!mayLink(app.store.get(), item)) return []
  return (await readLinks(app.call, item.id)).map(link => withAddress(link, app.server.url))
}

/** The number of lines in the dialog. */
export const lengthOf = ({ access = [], links }: Sharing): number => access.length + links.length

/** The line at the cursor: somebody's access, or a link. */
export function currentLine({ access = [], links, cursor }: Sharing): { entry?: AccessEntry; link?: Link } {
  const entry = access[cursor]
  const link = links[cursor - access.length]
  return entry !== undefined ? { entry } : link !== undefined ? { link } : {}
}

/** Shows the dialog and reads what is in it. The cursor goes to a line, or to the link with the id `linkId`. */
export async function showDialog(app: App, item: SharedItem, cursor = 0, linkId?: number): Promise<void> {
  const { mode } = app.store.get()
  const known = mode.kind === 'share' && mode.item.id === item.id ? mode : undefined
  app.store.set({ mode: { kind: 'share', item, access: known?.access, links: known?.links ?? [], cursor } })
  try {
    const [all, links] = await Promise.all([readAccess(app, item), readOwnLinks(app, item)])
    const access = all.filter(({ link_id }) => !links.some(({ id }) => id === link_id))
    const index = links.findIndex(({ id }) => id === linkId)
    const last = Math.max(0, access.length + links.length - 1)
    updateDialog(app, item, { access, links, cursor: index < 0 ? Math.min(cursor, last) : access.length + index })
  } catch (error) {
    if (app.store.get().mode.kind === 'share') backToList(app)
    throw error
  }
}

/** Shows the dialog again after a question: as it was, until it is read anew. */
export function reopen(app: App, dialog: Sharing): void {
  app.store.set({ mode: dialog })
  void attempt(app, () => showDialog(app, dialog.item, dialog.cursor))
}

export const titleOf = (item: Sharable): string => `${isTeamFolder(item) ? 'Members of' : 'Share'} ${quoteName(item)}`

/** Whether the server lets nobody share; a team folder's members are no matter of that switch. */
export const isSharingOff = ({ place }: Sharable, { sharing }: Profile): boolean => place === null && !sharing.people

export const isSelf = ({ who }: Pick<AccessEntry, 'who'>, user: Profile): boolean =>
  who.kind !== 'group' && who.kind !== 'link' && who.id === user.id
