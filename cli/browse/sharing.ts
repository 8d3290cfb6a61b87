/** The keys of the Share dialog. */
import type { Link } from '../../src/api/links.ts'
import type { AccessEntry } from '../../src/api/shares.ts'
import { type App, attempt, say } from './app.ts'
import { chosenEntries } from './cursor.ts'
import { askLink, changeLinkEnd, copyLink, pauseLink, revokeLink } from './link-acts.ts'
import { refresh } from './loading.ts'
import type { Sharing } from './modes.ts'
import { backToList } from './prompting.ts'
import { askPerson, changeEnd, changeLevel, removeAccess } from './share-acts.ts'
import { currentLine, isSelf, lengthOf, showDialog, updateDialog } from './share-dialog.ts'
import { quoteName } from './text.ts'

/** Opens the dialog for the chosen item. */
export function openSharing(app: App): void {
  const [entry] = chosenEntries(app.store.get())
  if (entry === undefined) return
  app.store.set({ message: undefined })
  void attempt(app, () => showDialog(app, entry))
}

/** Why an entry cannot be changed in this dialog; undefined if it can. */
function refusalOf({ share_id, who, because }: AccessEntry, { item }: Sharing): string | undefined {
  if (who.kind === 'owner') return 'The owner always has access'
  if (because.id !== item.id) return `This comes from the folder ${quoteName(because)}: change it there`
  return share_id === null ? 'You may not change this link' : undefined
}

type Act<Line> = (app: App, dialog: Sharing, line: Line) => unknown

const acts: Readonly<Record<string, Act<AccessEntry>>> = {
  return: changeLevel,
  l: changeLevel,
  e: changeEnd,
  x: removeAccess,
  d: removeAccess,
  delete: removeAccess,
}

const linkActs: Readonly<Record<string, Act<Link>>> = {
  return: copyLink,
  y: copyLink,
  space: pauseLink,
  e: changeLinkEnd,
  x: revokeLink,
  d: revokeLink,
  delete: revokeLink,
}

function actOnEntry(app: App, dialog: Sharing, key: string, entry: AccessEntry) {
  const act = acts[key]
  if (act === undefined) return
  const refusal =
    refusalOf(entry, dialog) ?? (act !== removeAccess && isSelf(entry, app.store.get().user) ? ownAccess : undefined)
  if (refusal !== undefined) return say(app, refusal, 'error')
  act(app, dialog, entry)
}

export function takeSharingKey(app: App, dialog: Sharing, key: string) {
  const { cursor } = dialog
  const move = (by: number) =>
    updateDialog(app, dialog.item, { cursor: Math.max(0, Math.min(lengthOf(dialog) - 1, cursor + by)) })
  if (key === 'up' || key === 'k') return move(-1)
  if (key === 'down' || key === 'j') return move(1)
  if (key === 'escape' || key === 'q' || key === 'p') return close(app)
  if (key === 'a') return askPerson(app, dialog)
  if (key === 'n') return askLink(app, dialog)
  const { entry, link } = currentLine(dialog)
  if (entry !== undefined) return actOnEntry(app, dialog, key, entry)
  if (link !== undefined) linkActs[key]?.(app, dialog, link)
}

const ownAccess = 'Another manager changes your access; you can leave (x)'

/** Shows the list again, read anew: what is shared bears a sign there. */
function close(app: App): void {
  backToList(app)
  void attempt(app, () => refresh(app))
}
