/** The other lists of a view: what is shared with and by the user, what is hidden, and the trashes. */
import { abilitiesIn } from '../../src/api/rights.ts'
import type { Space } from '../../src/api/spaces.ts'
import type { App } from './app.ts'
import { currentEntry } from './cursor.ts'
import { showList, showView } from './navigation.ts'
import type { State } from './state.ts'

/** Shows the next list of the view. */
export function showNextPart(app: App) {
  const { place, teams, user } = app.store.get()
  const { source } = place
  if (source.kind === 'received' && user.permissions.includes('files:share')) return showList(app, { kind: 'given' })
  if (source.kind === 'given') return showList(app, { kind: 'received', isHidden: false })
  if (source.kind !== 'trash') return
  const trashes = [null, ...teams.filter(team => abilitiesIn(team).change)]
  const now = trashes.findIndex(team => team?.id === source.team?.id)
  showList(app, { kind: 'trash', team: trashes[(now + 1) % trashes.length] ?? null })
}

/** Shows what the user has hidden of what others share, or the list without it again. */
export function toggleHidden(app: App): void {
  const { source } = app.store.get().place
  showList(app, { kind: 'received', isHidden: source.kind !== 'received' || !source.isHidden })
}

/** The team folder that is on screen, or under the cursor among the team folders. */
export function teamHere(state: State): Space | undefined {
  const { folder, source } = state.place
  if (source.kind === 'teams') return currentEntry(state)?.team
  return folder?.root?.kind === 'team' ? state.teams.find(team => team.folder_id === folder.root?.id) : undefined
}

/** Shows the trash of the team folder that is on screen. */
export function showTeamTrash(app: App): void {
  const state = app.store.get()
  const team = teamHere(state)
  if (team === undefined) return
  showView(app, 'trash')
  showList(app, { kind: 'trash', team })
}
