/** The table of all keys of the lists, in groups. */
import { acting, reviewing, sharing, trash } from './act-keys.ts'
import type { KeyGroup } from './key-entry.ts'
import { choosing, moving, showing } from './list-keys.ts'

/** The groups, in the order of the footer's hints. */
export const keyGroups: readonly KeyGroup[] = [moving, showing, sharing, trash, reviewing, choosing, acting]

/** The columns of the help. */
export const helpColumns: readonly (readonly KeyGroup[])[] = [
  [moving, choosing, acting],
  [showing, sharing, trash, reviewing],
]
