/** The menu of a row, or of the whole selection when the row is part of it. */

import {
  IconCopy,
  IconCursorText,
  IconDownload,
  IconEye,
  IconFileTypePdf,
  IconFileZip,
  IconFolderOpen,
  IconFolderSymlink,
  IconInfoCircle,
  IconLink,
  IconSquareCheck,
  IconStar,
  IconStarOff,
  IconTag,
  IconTrash,
  IconUsersPlus,
} from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { isPlaceRoot } from '../../../src/api/places.ts'
import { previewKind } from '../../../src/api/preview-kinds.ts'
import { formatDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import type { MenuAction, MenuPlace } from '../../ui/menu-props.ts'
import { ItemIcon } from '../item-icon.tsx'
import { ItemName } from '../item-name.tsx'
import { useIsOnScreen, useShowInFolder } from '../show-in-folder.ts'
import { copyAddress } from './copy-address.ts'
import styles from './item-menu.module.css'
import type { ItemActions } from './use-item-actions.tsx'

/** An open menu: where it is and what it acts on, at least one item. */
export interface OpenMenu {
  place: MenuPlace
  items: readonly [FileItem, ...FileItem[]]
}

interface ItemMenuProps {
  menu: OpenMenu | null
  actions: ItemActions
  /** Absent where names cannot be edited. */
  onRename?: (item: FileItem) => void
  /** Absent when the details are already shown, or have no place. */
  onDetails?: () => void
  /** Starts a selection; absent when a click does that. */
  onSelect?: (item: FileItem) => void
  /** Whether the list has the keys that the menu names. */
  hasKeys?: boolean
  onClose: () => void
}

type Groups = MenuAction[][]

/** The actions that open one file. */
function openGroup(item: FileItem, actions: ItemActions): MenuAction[] {
  if (item.is_directory) return []
  const preview = { label: 'Preview', icon: IconEye, shortcut: 'Space', run: () => actions.preview(item) }
  const view = { label: 'View PDF', icon: IconFileTypePdf, run: () => actions.viewPdf(item) }
  return previewKind(item.mime_type) === 'pdf' ? [preview, view] : [preview]
}

/** Undefined while the item's folder is on screen, so that there is nowhere to go. */
type ShowInFolder = ((item: FileItem) => void) | undefined

/** The actions that lead to one item. */
function placeGroup(item: FileItem, showInFolder: ShowInFolder): MenuAction[] {
  const place = showInFolder && {
    label: 'Show in folder',
    icon: IconFolderOpen,
    shortcut: 'F',
    run: () => showInFolder(item),
  }
  const address = { label: 'Copy address', icon: IconLink, run: () => void copyAddress(item) }
  return place ? [place, address] : [address]
}

function groupsOf({ items }: OpenMenu, props: ItemMenuProps, showInFolder: ShowInFolder): Groups {
  const { actions, onRename, onDetails, onSelect } = props
  const may = actions.mayOn(items)
  const [first] = items
  const isSingle = items.length === 1
  const hasFile = items.some(item => !item.is_directory)
  const hasFolder = items.some(item => item.is_directory)
  const download = { label: 'Download', icon: IconDownload, shortcut: 'D', run: () => actions.download(items) }
  const archive = { label: 'Download as ZIP', icon: IconFileZip, run: () => actions.archive(items) }
  const rename = onRename && { label: 'Rename', icon: IconCursorText, shortcut: 'F2', run: () => onRename(first) }
  const move = { label: 'Move…', icon: IconFolderSymlink, shortcut: 'M', run: () => actions.moveTo(items) }
  const copy = { label: 'Copy to…', icon: IconCopy, run: () => actions.copyTo(items) }
  const share = { label: 'Share…', icon: IconUsersPlus, shortcut: 'P', run: () => actions.share(first) }
  const tags = { label: 'Manage Tags', icon: IconTag, shortcut: 'T', run: () => actions.manageTags(items) }
  const isFavorite = items.every(item => item.is_favorite)
  const favorite = {
    label: isFavorite ? 'Remove from favorites' : 'Add to favorites',
    icon: isFavorite ? IconStarOff : IconStar,
    shortcut: 'S',
    run: () => actions.favorite(items),
  }
  const trash = {
    label: 'Delete',
    icon: IconTrash,
    shortcut: 'Del',
    tone: 'danger' as const,
    run: () => actions.trash(items),
  }
  const details = onDetails && { label: 'Details', icon: IconInfoCircle, shortcut: 'I', run: onDetails }
  const groups: Groups = [
    [
      ...(onSelect && isSingle ? [{ label: 'Select', icon: IconSquareCheck, run: () => onSelect(first) }] : []),
      ...(isSingle ? openGroup(first, actions) : []),
      ...(hasFile ? [download] : []),
      ...(hasFolder || !isSingle ? [archive] : []),
      ...(isSingle ? placeGroup(first, showInFolder) : []),
    ],
    [
      ...(isSingle && may.openShare ? [share] : []),
      ...(may.mark ? [favorite] : []),
      ...(may.tag && hasFile ? [tags] : []),
      ...(may.organise && isSingle && rename ? [rename] : []),
      ...(may.organise ? [move] : []),
      ...(may.copy ? [copy] : []),
      ...(details ? [details] : []),
    ],
    may.trash ? [trash] : [],
  ]
  return groups.filter(group => group.length > 0)
}

export function ItemMenu({ menu, ...rest }: ItemMenuProps) {
  return menu === null ? null : <ShownMenu {...rest} menu={menu} />
}

function ShownMenu(props: ItemMenuProps & { menu: OpenMenu }) {
  const { menu, hasKeys = true, onClose } = props
  const [first] = menu.items
  const showInFolder = useShowInFolder()
  const isThere = useIsOnScreen(first.parent_id)
  const groups = groupsOf(menu, props, isThere || isPlaceRoot(first) ? undefined : showInFolder)
  const label = menu.items.length === 1 ? `Actions for ${first.name}` : `Actions for ${menu.items.length} items`
  return (
    <ActionMenu
      place={menu.place}
      groups={hasKeys ? groups : groups.map(group => group.map(action => ({ ...action, shortcut: undefined })))}
      label={label}
      head={<MenuHead item={first} count={menu.items.length} />}
      onClose={onClose}
    />
  )
}

function MenuHead({ item, count }: { item: FileItem; count: number }) {
  if (count > 1) return <b className={styles.name}>{count} items</b>
  return (
    <div className={styles.head}>
      <ItemIcon item={item} size={36} />
      <div className={styles.words}>
        <div className={styles.name}>
          <ItemName item={item} />
        </div>
        <div className={styles.meta}>
          {!item.is_directory && `${formatSize(item.size)} · `}
          {formatDate(item.updated_at)}
        </div>
      </div>
    </div>
  )
}
