/** What can be done to all that is selected. */
import {
  type Icon,
  IconCopy,
  IconDownload,
  IconFileZip,
  IconFolderSymlink,
  IconTag,
  IconTrash,
} from '@tabler/icons-react'
import type { FileItem } from '../../../../src/api/items.ts'
import type { ItemActions, ItemRights } from '../../actions/use-item-actions.tsx'

export interface SelectionAct {
  word: string
  /** What the short word means. */
  full?: string
  icon: Icon
  tone?: 'danger'
  /** Whether a phone, whose bar has little room, offers it behind More. */
  isMore?: boolean
  run: (items: readonly FileItem[]) => void
}

/** The acts on live items, as far as the user has the right. */
export const itemActs = (actions: ItemActions): SelectionAct[] =>
  permitted(actions, [
    { word: 'Tag', icon: IconTag, right: 'tag', run: actions.manageTags },
    { word: 'Download', icon: IconDownload, run: actions.download },
    { word: 'ZIP', full: 'Download as ZIP', icon: IconFileZip, isMore: true, run: actions.archive },
    { word: 'Move', icon: IconFolderSymlink, right: 'change', run: actions.moveTo },
    { word: 'Copy', full: 'Copy to…', icon: IconCopy, right: 'change', isMore: true, run: actions.copyTo },
    { word: 'Delete', icon: IconTrash, tone: 'danger', right: 'trash', run: actions.trash },
  ])

const permitted = ({ may }: ItemActions, acts: (SelectionAct & { right?: keyof ItemRights })[]): SelectionAct[] =>
  acts.filter(({ right }) => right === undefined || may[right])
