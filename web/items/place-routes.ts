/** The screens that list places, and the way out of a place. */
import { IconFolderShare, IconUsers } from '@tabler/icons-react'
import type { Place } from '../../src/api/items.ts'

/** Not a literal, because the router's types know only the screens of their own file. */
const shared: string = '/shared'

/** The screen on which a place is listed. */
export const listOf = ({ kind }: Pick<Place, 'kind'>) =>
  kind === 'team'
    ? ({ to: '/team-folders' as string, label: 'Team folders', icon: IconUsers } as const)
    : ({ to: shared, label: 'Shared', icon: IconFolderShare } as const)
