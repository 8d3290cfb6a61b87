/** Shows who has access to an item, and why. */
import type { Profile } from '../../src/api/auth.ts'
import { accessRank, isTeamFolder, type Sharable } from '../../src/api/share-words.ts'
import { type AccessEntry, listAccess } from '../../src/api/shares.ts'
import { type App, attempt } from './app.ts'
import type { Sharing } from './modes.ts'
import { backToList } from './prompting.ts'
import { quoteName } from './text.ts'

export function updateDialog(app: App, item: Sharable, change: Partial<Sharing>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'share' && mode.item.id === item.id) app.store.set({ mode: { ...mode, ...change } })
}

/** Shows the dialog, with the cursor on a line of it, and reads who has access. */
export async function showDialog(app: App, item: Sharable, cursor = 0): Promise<void> {
  const { mode } = app.store.get()
  const known = mode.kind === 'share' && mode.item.id === item.id ? mode.access : undefined
  app.store.set({ mode: { kind: 'share', item, access: known, cursor } })
  try {
    const { access } = await app.call(listAccess, { id: item.id })
    const sorted = [...access].sort((a, b) => accessRank(a, item.id) - accessRank(b, item.id))
    updateDialog(app, item, { access: sorted, cursor: Math.max(0, Math.min(cursor, sorted.length - 1)) })
  } catch (error) {
    if (app.store.get().mode.kind === 'share') backToList(app)
    throw error
  }
}

/** Shows the dialog again after a question. */
export const reopen = (app: App, { item, cursor }: Sharing): void =>
  void attempt(app, () => showDialog(app, item, cursor))

export const titleOf = (item: Sharable): string => `${isTeamFolder(item) ? 'Members of' : 'Share'} ${quoteName(item)}`

/** Whether the server lets nobody share; a team folder's members are no matter of that switch. */
export const isSharingOff = ({ place }: Sharable, { sharing }: Profile): boolean => place === null && !sharing.people

export const isSelf = ({ who }: Pick<AccessEntry, 'who'>, user: Profile): boolean =>
  who.kind !== 'group' && who.id === user.id
