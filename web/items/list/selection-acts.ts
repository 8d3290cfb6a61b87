/** What can be done to all that is selected. */
import { type Icon, IconDownload, IconFileZip, IconFolderSymlink, IconTag, IconTrash } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import type { ItemActions, ItemRights } from './use-item-actions.tsx'

export interface SelectionAct {
  word: string
  /** What the short word means. */
  full?: string
  icon: Icon
  tone?: 'danger'
  /** Whether a phone's bar has no room for it. */
  isWide?: boolean
  run: (items: readonly FileItem[]) => void
}

/** The acts on live items, as far as the user has the right. */
export function itemActs(actions: ItemActions): SelectionAct[] {
  const acts: (SelectionAct & { right?: keyof ItemRights })[] = [
    { word: 'Tag', icon: IconTag, right: 'tag', run: actions.manageTags },
    { word: 'Download', icon: IconDownload, run: actions.download },
    { word: 'ZIP', full: 'Download as ZIP', icon: IconFileZip, isWide: true, run: actions.archive },
    { word: 'Move', icon: IconFolderSymlink, right: 'change', run: actions.moveTo },
    { word: 'Delete', icon: IconTrash, tone: 'danger', right: 'trash', run: actions.trash },
  ]
  return acts.filter(({ right }) => right === undefined || actions.may[right])
}

/** Those that a phone's bar has room for. */
export const phoneActs = (actions: ItemActions): SelectionAct[] => itemActs(actions).filter(({ isWide }) => !isWide)
