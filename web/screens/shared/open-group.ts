/** The actions that both lists offer on an item. Who may only hand in files has nothing to download or copy. */
import { IconCopy, IconDownload, IconFileZip, IconLink, IconStar } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { copyAddress } from '../../items/actions/copy-address.ts'
import type { ItemActions } from '../../items/actions/use-item-actions.tsx'
import type { MenuAction } from '../../ui/menu-props.ts'

export function openGroup(item: FileItem, actions: ItemActions): MenuAction[] {
  const isSeen = item.may?.see ?? true
  const download = item.is_directory
    ? { label: 'Download as ZIP', icon: IconFileZip, run: () => actions.archive([item]) }
    : { label: 'Download', icon: IconDownload, run: () => actions.download([item]) }
  const copy = { label: 'Copy to…', icon: IconCopy, run: () => actions.copyTo([item]) }
  const favorite = {
    label: item.is_favorite ? 'Remove from favorites' : 'Add to favorites',
    icon: IconStar,
    run: () => actions.favorite([item]),
  }
  const may = actions.mayOn([item])
  return [
    ...(isSeen ? [download] : []),
    ...(isSeen && may.copy ? [copy] : []),
    ...(isSeen && may.mark ? [favorite] : []),
    { label: 'Copy address', icon: IconLink, run: () => void copyAddress(item) },
  ]
}
