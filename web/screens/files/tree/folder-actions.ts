/** The actions on a folder of the tree or the breadcrumbs. */
import {
  IconCopy,
  IconFileZip,
  IconFolderPlus,
  IconFolderSymlink,
  IconLink,
  IconTrash,
  IconUsersPlus,
} from '@tabler/icons-react'
import { getFile } from '../../../../src/api/files.ts'
import type { FileItem } from '../../../../src/api/items.ts'
import { copyAddress } from '../../../items/actions/copy-address.ts'
import type { ItemActions } from '../../../items/actions/use-item-actions.tsx'
import type { Destination } from '../../../items/destination.ts'
import { call } from '../../../lib/server/call.ts'
import { messageOf } from '../../../lib/server/message-of.ts'
import type { MenuAction } from '../../../ui/menu-props.ts'
import { showError } from '../../../ui/toast.tsx'

interface FolderActions {
  actions: ItemActions
  /** Whether the user may make a folder in it. */
  mayMake: boolean
  /** Asks for the name of a new sub-folder. */
  onMake: (folder: Destination) => void
  onTrash: (folder: FileItem) => void
}

/** Runs an action on the folder's current state, because the tree and the breadcrumbs may be outdated. */
const onFolder = (id: number, act: (folder: FileItem) => void, failure: string) => (): void =>
  void call(getFile, { id }).then(
    ({ file }) => act(file),
    error => showError(messageOf(error, failure)),
  )

/** Empty for Home when the user may not create folders. */
export function folderGroups(
  folder: Destination,
  { actions, mayMake, onMake, onTrash }: FolderActions,
): MenuAction[][] {
  const may = actions.mayOn([folder])
  const { id } = folder
  const make = { label: 'New Folder', icon: IconFolderPlus, run: () => onMake(folder) }
  if (id === null) return mayMake ? [[make]] : []
  const move = onFolder(id, item => actions.moveTo([item]), 'Move failed')
  const copy = onFolder(id, item => actions.copyTo([item]), 'Copy failed')
  const archive = onFolder(id, item => actions.archive([item]), 'Download failed')
  const share = onFolder(id, actions.share, 'Failed to share')
  const trash = onFolder(id, onTrash, 'Failed to move to trash')
  const elsewhere = [
    ...(may.organise ? [{ label: 'Move…', icon: IconFolderSymlink, run: move }] : []),
    ...(may.copy ? [{ label: 'Copy to…', icon: IconCopy, run: copy }] : []),
  ]
  return [
    ...(mayMake ? [[make]] : []),
    ...(elsewhere.length > 0 ? [elsewhere] : []),
    ...(may.openShare ? [[{ label: 'Share…', icon: IconUsersPlus, run: share }]] : []),
    [
      { label: 'Download as ZIP', icon: IconFileZip, run: archive },
      { label: 'Copy address', icon: IconLink, run: () => void copyAddress({ id, is_directory: true }) },
    ],
    ...(may.trash ? [[{ label: 'Delete', icon: IconTrash, tone: 'danger' as const, run: trash }]] : []),
  ]
}
