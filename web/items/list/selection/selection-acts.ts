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
import type { ItemActions, ItemRights } from '../../actions/use-item-actions.tsx'

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

/** The actions on the selected items, outside the trash, that the user has the permission for. */
export const itemActs = (actions: ItemActions, items: readonly FileItem[]): SelectionAct[] =>
  permitted(actions, [
    ...shareAct(actions, items),
    { word: 'Tag', icon: IconTag, right: 'tag', run: actions.manageTags },
    { word: 'Download', icon: IconDownload, run: actions.download },
    { word: 'ZIP', full: 'Download as ZIP', icon: IconFileZip, isMore: true, run: actions.archive },
    { word: 'Move', icon: IconFolderSymlink, right: 'change', run: actions.moveTo },
    { word: 'Copy', full: 'Copy to…', icon: IconCopy, right: 'change', isMore: true, run: actions.copyTo },
    { word: 'Delete', icon: IconTrash, tone: 'danger', right: 'trash', run: actions.trash },
  ])

/** Sharing is offered for one item. */
function shareAct(actions: ItemActions, [first, ...others]: readonly FileItem[]): SelectionAct[] {
  if (first === undefined || others.length > 0 || !actions.mayShare(first)) return []
  return [{ word: 'Share', icon: IconUsersPlus, isMore: true, run: () => actions.share(first) }]
}

const permitted = ({ may }: ItemActions, acts: (SelectionAct & { right?: keyof ItemRights })[]): SelectionAct[] =>
  acts.filter(({ right }) => right === undefined || may[right])
