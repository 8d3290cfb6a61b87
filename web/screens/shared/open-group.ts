/** The actions that both lists offer on an item. */
import { IconCopy, IconDownload, IconFileZip, IconLink } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { copyAddress } from '../../items/actions/copy-address.ts'
import type { ItemActions } from '../../items/actions/use-item-actions.tsx'
import type { MenuAction } from '../../ui/menu-props.ts'

export const openGroup = (item: FileItem, actions: ItemActions): MenuAction[] => [
  item.is_directory
    ? { label: 'Download as ZIP', icon: IconFileZip, run: () => actions.archive([item]) }
    : { label: 'Download', icon: IconDownload, run: () => actions.download([item]) },
  ...(actions.may.change ? [{ label: 'Copy to…', icon: IconCopy, run: () => actions.copyTo([item]) }] : []),
  { label: 'Copy address', icon: IconLink, run: () => void copyAddress(item) },
]
