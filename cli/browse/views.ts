/** The views: their names, which are those of the page's sections, and who is offered them. */
import { type View, views } from './place.ts'
import type { State } from './state.ts'

export const viewTitles: Readonly<Record<View, string>> = {
  files: 'Files',
  teams: 'Team folders',
  shared: 'Shared',
  favorites: 'Favorites',
  recent: 'Recent',
  trash: 'Trash',
  pending: 'Validation',
}

/** A key for one folder has nothing but the files in it. */
export function offeredViews({ user, isFolderKey }: Pick<State, 'user' | 'isFolderKey'>): readonly View[] {
  if (isFolderKey) return ['files']
  return views.filter(view => view !== 'pending' || user.permissions.includes('validation:review'))
}
