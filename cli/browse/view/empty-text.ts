/** What an empty list says: the fact, and what leads on. */
import { dropBoxWords } from '../../../src/api/share-words.ts'
import { visible } from '../../../terminal/visible.ts'
import { isLoaded } from '../listing.ts'
import type { FolderFacts, Source } from '../place.ts'
import { refusalEverywhere, refusalHere } from '../rights.ts'
import type { State } from '../state.ts'

const fixed: Readonly<Record<Exclude<Source['kind'], 'folder' | 'trash' | 'received'>, readonly string[]>> = {
  search: ['No files found', 'Try searching with different keywords.'],
  tag: ['No files have this tag', 't puts it on files.'],
  favorites: ['No favorites yet', 'f marks a file or folder.'],
  pending: ['No pending files', 'Uploads that wait for approval appear here.'],
  recent: ['No files yet', 'Files that you or others in your team folders add or change appear here.'],
  teams: ['You are in no team folder yet', 'Administrators make team folders, and their managers add members.'],
  places: ['There are no other places'],
  given: ['You share nothing yet', 'p on a file or folder gives others access.'],
}

function folderLines(state: State, folder: FolderFacts | undefined): string[] {
  if (folder && !folder.may.see && folder.may.add) return ['Nothing handed in yet', dropBoxWords]
  const may = (act: 'upload' | 'makeFolder') =>
    refusalEverywhere(state, act) === undefined && refusalHere(state, act) === undefined
  const ways = [may('upload') ? 'u uploads' : '', may('makeFolder') ? 'n makes a folder' : ''].filter(way => way !== '')
  return ['This folder is empty', ways.length > 0 ? `${ways.join(', ')}.` : 'Nothing has been put here yet.']
}

/** Returns the lines for a list without rows. */
export function emptyLines(state: State): readonly string[] {
  const { place, message } = state
  if (!isLoaded(place.listing)) return message?.tone === 'error' ? ['Not read', 'R tries again.'] : ['Reading…']
  const { source, folder } = place
  if (source.kind === 'folder') return folderLines(state, folder)
  if (source.kind === 'trash') {
    const where = source.team === null ? 'What you delete' : `What is deleted in ${visible(source.team.name)}`
    return ['Trash is empty', `${where} can be restored from here.`]
  }
  if (source.kind !== 'received') return fixed[source.kind]
  return source.isHidden
    ? ['Nothing is hidden', 'What you hide from the list waits here until you show it again.']
    : ['Nothing is shared with you', 'When others give you access to a file or folder, you find it here.']
}
