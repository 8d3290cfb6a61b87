/** The keys of the Share dialog. */
import type { AccessEntry } from '../../src/api/shares.ts'
import { type App, attempt, say } from './app.ts'
import { chosenEntries } from './cursor.ts'
import { refresh } from './loading.ts'
import type { Sharing } from './modes.ts'
import { backToList } from './prompting.ts'
import { askPerson, changeEnd, changeLevel, removeAccess } from './share-acts.ts'
import { isSelf, showDialog, updateDialog } from './share-dialog.ts'
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
  if (share_id === null || who.kind === 'owner') return 'The owner always has access'
  if (because.id !== item.id) return `This comes from the folder ${quoteName(because)}: change it there`
  return undefined
}

const acts: Readonly<Record<string, (app: App, dialog: Sharing, entry: AccessEntry) => void>> = {
  return: changeLevel,
  l: changeLevel,
  e: changeEnd,
  x: removeAccess,
  d: removeAccess,
  delete: removeAccess,
}

export function takeSharingKey(app: App, dialog: Sharing, key: string) {
  const { access = [], cursor } = dialog
  const move = (by: number) =>
    updateDialog(app, dialog.item, { cursor: Math.max(0, Math.min(access.length - 1, cursor + by)) })
  if (key === 'up' || key === 'k') return move(-1)
  if (key === 'down' || key === 'j') return move(1)
  if (key === 'escape' || key === 'q' || key === 'p') return close(app)
  if (key === 'a' || key === 'n') return askPerson(app, dialog)
  const entry = access[cursor]
  const act = acts[key]
  if (entry === undefined || act === undefined) return
  const refusal =
    refusalOf(entry, dialog) ?? (act !== removeAccess && isSelf(entry, app.store.get().user) ? ownAccess : undefined)
  if (refusal !== undefined) return say(app, refusal, 'error')
  act(app, dialog, entry)
}

const ownAccess = 'Another manager changes your access; you can leave (x)'

/** Shows the list again, read anew: what is shared bears a sign there. */
function close(app: App): void {
  backToList(app)
  void attempt(app, () => refresh(app))
}
