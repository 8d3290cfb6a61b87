/** The actions on a selection. */

import {
  type Icon,
  IconCopy,
  IconDownload,
  IconFileZip,
  IconFolderSymlink,
  IconTag,
  IconTrash,
  IconUsersPlus,
} from '@tabler/icons-react'
import type { FileItem } from '../../../../src/api/items.ts'
import type { ItemRights } from '../../../../src/api/rights.ts'
import type { ItemActions } from '../../actions/use-item-actions.tsx'

export interface SelectionAct {
  word: string
  /** The long label behind the short one. */
  full?: string
  icon: Icon
  tone?: 'danger'
  /** Whether a phone shows it in the More menu, because its bar has little room. */
  isMore?: boolean
  run: (items: readonly FileItem[]) => void
}

/** The actions that the user may do with all of these items, which are outside the trash. */
export const itemActs = (actions: ItemActions, items: readonly FileItem[]): SelectionAct[] =>
  permitted(actions.mayOn(items), [
    ...shareAct(actions, items),
    { word: 'Tag', icon: IconTag, right: 'tag', run: actions.manageTags },
    { word: 'Download', icon: IconDownload, run: actions.download },
    { word: 'ZIP', full: 'Download as ZIP', icon: IconFileZip, isMore: true, run: actions.archive },
    { word: 'Move', icon: IconFolderSymlink, right: 'organise', run: actions.moveTo },
    { word: 'Copy', full: 'Copy to…', icon: IconCopy, right: 'copy', isMore: true, run: actions.copyTo },
    { word: 'Delete', icon: IconTrash, tone: 'danger', right: 'trash', run: actions.trash },
  ])

/** Sharing is offered for one item. */
function shareAct(actions: ItemActions, [first, ...others]: readonly FileItem[]): SelectionAct[] {
  if (first === undefined || others.length > 0 || !actions.mayOn([first]).openShare) return []
  return [{ word: 'Share', icon: IconUsersPlus, isMore: true, run: () => actions.share(first) }]
}

const permitted = (may: ItemRights, acts: (SelectionAct & { right?: keyof ItemRights })[]): SelectionAct[] =>
  acts.filter(({ right }) => right === undefined || may[right])
