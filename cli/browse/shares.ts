/** Acts in the lists of shares: hiding what others share, leaving it, and ending what the user shares. */
import { deleteShare, hideShare } from '../../src/api/shares.ts'
import { visible } from '../../terminal/visible.ts'
import { type App, attemptBusy, say } from './app.ts'
import { dropEntries, forEach, nameEntries } from './changing.ts'
import { chosenEntries } from './cursor.ts'
import type { Entry } from './listing.ts'
import { confirm } from './prompting.ts'

/** Does something with each share, which then leaves the list. */
const takeOut = (
  app: App,
  busy: string,
  entries: readonly Entry[],
  work: (id: number) => Promise<unknown>,
  told: (done: readonly Entry[]) => string,
): Promise<void> =>
  attemptBusy(app, busy, () =>
    forEach(
      app,
      entries,
      async entry => {
        if (entry.share === undefined) return
        await work(entry.share.id)
        dropEntries(app, new Set([entry.share.id]))
      },
      done => say(app, told(done)),
    ),
  )

/** Hides what others share, or shows again what is hidden. */
export async function hideChosen(app: App): Promise<void> {
  const state = app.store.get()
  const { source } = state.place
  const hidden = !(source.kind === 'received' && source.isHidden)
  const words = (done: readonly Entry[]) =>
    `${nameEntries(done)} ${done.length === 1 ? 'is' : 'are'} ${hidden ? 'hidden · . shows what is hidden' : 'in your list again'}`
  await takeOut(app, 'Saving', chosenEntries(state), id => app.call(hideShare, { id, hidden }), words)
}

/** Asks, then gives up the access to what others share. What a group has, one of its members cannot give up. */
export function askLeave(app: App) {
  const entries = chosenEntries(app.store.get())
  const ofGroup = entries.find(({ share }) => share?.group != null)
  if (ofGroup !== undefined) {
    const group = visible(ofGroup.share?.group ?? '')
    return say(app, `${nameEntries([ofGroup])} is shared with '${group}', not with you alone · H hides it`, 'error')
  }
  if (entries.length === 0) return
  confirm(app, `Leave ${nameEntries(entries)}? Only who manages it can let you in again.`, () =>
    takeOut(
      app,
      'Leaving',
      entries,
      id => app.call(deleteShare, { id }),
      done => `You have left ${nameEntries(done)}`,
    ),
  )
}

/** Asks, then ends what the user shares with a person or group. */
export function askStopSharing(app: App): void {
  const entries = chosenEntries(app.store.get())
  const [first] = entries
  if (first === undefined) return
  const isOne = entries.length === 1
  const whom = visible(first.share?.who.name ?? '')
  confirm(app, isOne ? `Stop sharing ${nameEntries(entries)} with ${whom}?` : `Stop ${entries.length} shares?`, () =>
    takeOut(
      app,
      'Saving',
      entries,
      id => app.call(deleteShare, { id }),
      done => (isOne ? `${whom} no longer has access` : `${done.length} shares ended`),
    ),
  )
}
