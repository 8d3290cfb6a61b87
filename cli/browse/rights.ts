/** Why the user may not do something here: the sentence that a key shows which is not offered. */
import type { Permission } from '../../src/api/permissions.ts'
import { isPlaceRoot } from '../../src/api/places.ts'
import { abilitiesIn, type ItemRights, isClosed, isReviewed, rightsIn, rightsOn } from '../../src/api/rights.ts'
import { chosenEntries } from './cursor.ts'
import type { Entry } from './listing.ts'
import { mayLink } from './share-rights.ts'
import type { State } from './state.ts'
import { quoteName, shortName } from './text.ts'

type ItemAct = 'rename' | 'move' | 'copy' | 'favorite' | 'tag' | 'share' | 'trash'
export type Act = ItemAct | 'download' | 'upload' | 'makeFolder' | 'restore' | 'purge' | 'review'

const needs: Readonly<Record<Act, Permission>> = {
  rename: 'files:write',
  move: 'files:write',
  copy: 'files:write',
  favorite: 'files:write',
  tag: 'tags:write',
  share: 'files:share',
  trash: 'files:delete',
  download: 'files:read',
  upload: 'files:upload',
  makeFolder: 'files:write',
  restore: 'files:delete',
  purge: 'files:delete',
  review: 'validation:review',
}

const rightFor: Readonly<Record<ItemAct, keyof ItemRights>> = {
  rename: 'organise',
  move: 'organise',
  copy: 'copy',
  favorite: 'mark',
  tag: 'tag',
  share: 'share',
  trash: 'trash',
}

const verbs: Partial<Record<Act, string>> = { tag: 'tag', trash: 'delete', favorite: 'mark' }

/** Acts that a key for one folder cannot do, because they are about the user and not about the folder. */
const beyondFolderKeys: ReadonlySet<Act> = new Set<Act>(['favorite', 'tag', 'share'])

/** Why role or key do not allow an act anywhere; undefined if they do. */
export function refusalEverywhere({ user, isFolderKey }: State, act: Act): string | undefined {
  const isLinker = act === 'share' && user.permissions.includes('files:link')
  if (!user.permissions.includes(needs[act]) && !isLinker)
    return `Your role or key does not allow this: it lacks ${needs[act]}`
  if (isFolderKey && beyondFolderKeys.has(act)) return 'A key for one folder has no favorites, tags and shares'
  return undefined
}

/** Why the place of an entry does not allow an act. */
function refusalThere(entry: Entry, act: ItemAct): string {
  const what = `You may not ${verbs[act] ?? act} ${quoteName(entry, shortName)}`
  if (isReviewed(entry)) return `${what}: you see it to review it`
  if (isClosed(entry)) return `${what}: it was rejected`
  if (act === 'share') return `${what}: only who manages it may`
  if (isPlaceRoot(entry)) {
    return entry.is_directory && entry.may?.change ? `${what} itself, only what is in it` : `${what}: it is not yours`
  }
  if (entry.may?.see === false || entry.place === null) return `${what}: what is handed in stays as it is`
  return `${what}: ${quoteName(entry.place, shortName)} is view only`
}

function refusalOnItems(state: State, act: ItemAct): string | undefined {
  const entries = chosenEntries(state)
  if (entries.length === 0) return 'There is nothing to act on here'
  if (act === 'share' && entries.length > 1) return 'Share one item at a time'
  const isAllowed = (entry: Entry) =>
    rightsOn(state.user.permissions, [entry])[rightFor[act]] || (act === 'share' && mayLink(state, entry))
  const refused = entries.find(entry => !isAllowed(entry))
  if (refused !== undefined) return refusalThere(refused, act)
  // Who may only hand files in cannot read the drop box itself.
  return act === 'copy' ? refusalToRead(entries) : undefined
}

function refusalToRead(entries: readonly Entry[]): string | undefined {
  if (entries.length === 0) return 'There is nothing to act on here'
  const closed = entries.find(entry => entry.is_directory && entry.may?.see === false)
  return closed && `You may only upload to ${quoteName(closed)}`
}

function refusalInFolder({ user, place }: State, act: 'upload' | 'makeFolder'): string | undefined {
  const rights = rightsIn(user.permissions, place.folder?.may ?? null)
  if (act === 'upload') return rights.upload ? undefined : 'You may not add anything to this folder'
  if (rights.makeFolder) return undefined
  return rights.upload ? 'You may only upload files to this folder' : 'You may not add anything to this folder'
}

function refusalInTrash({ place }: State, act: 'restore' | 'purge'): string | undefined {
  const team = place.source.kind === 'trash' ? place.source.team : null
  if (team === null) return undefined
  const may = abilitiesIn(team)
  const name = quoteName(team)
  if (act === 'restore') return may.change ? undefined : `You may not restore what was deleted in ${name}`
  return may.share ? undefined : `Only managers of ${name} delete permanently`
}

/** Why an act is not possible with what is chosen, in the folder on screen; undefined if it is. */
export function refusalHere(state: State, act: Act): string | undefined {
  if (act === 'upload' || act === 'makeFolder') return refusalInFolder(state, act)
  if (act === 'restore' || act === 'purge') return refusalInTrash(state, act)
  if (act === 'download') return refusalToRead(chosenEntries(state))
  if (act === 'review') return undefined
  return refusalOnItems(state, act)
}
