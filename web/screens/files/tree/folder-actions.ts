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
import type { FileDetails, FileItem } from '../../../../src/api/items.ts'
import { copyAddress } from '../../../items/actions/copy-address.ts'
import type { ItemActions } from '../../../items/actions/use-item-actions.tsx'
import type { Destination } from '../../../items/destination.ts'
import { call } from '../../../lib/server/call.ts'
import { messageOf } from '../../../lib/server/message-of.ts'
import type { MenuAction } from '../../../ui/menu-props.ts'
import { showError } from '../../../ui/toast.tsx'

interface FolderActions {
  actions: ItemActions
  /** Asks for the name of a new sub-folder. */
  onMake: (folder: Destination) => void
  onTrash: (folder: FileItem) => void
}

/** Runs an action on the folder's current state, because the tree and the breadcrumbs may be outdated. */
const onFolder = (id: number, act: (folder: FileDetails) => void, failure: string) => (): void =>
  void call(getFile, { id }).then(
    ({ file }) => act(file),
    error => showError(messageOf(error, failure)),
  )

/** The tree and the breadcrumbs do not know whether a folder may be shared. */
function shareFolder(folder: FileDetails, actions: ItemActions): void {
  if (folder.may.share) actions.share(folder)
  else showError('Only those who manage this folder can share it')
}

/** Empty for Home when the user may not create folders. */
export function folderGroups(folder: Destination, { actions, onMake, onTrash }: FolderActions): MenuAction[][] {
  const { may } = actions
  const { id } = folder
  const make = { label: 'New Folder', icon: IconFolderPlus, run: () => onMake(folder) }
  if (id === null) return may.change ? [[make]] : []
  const move = onFolder(id, item => actions.moveTo([item]), 'Move failed')
  const copy = onFolder(id, item => actions.copyTo([item]), 'Copy failed')
  const archive = onFolder(id, item => actions.archive([item]), 'Download failed')
  const share = onFolder(id, item => shareFolder(item, actions), 'Failed to share')
  const trash = onFolder(id, onTrash, 'Failed to move to trash')
  const changes: MenuAction[][] = [
    [make],
    [
      { label: 'Move…', icon: IconFolderSymlink, run: move },
      { label: 'Copy to…', icon: IconCopy, run: copy },
    ],
  ]
  return [
    ...(may.change ? changes : []),
    ...(may.share ? [[{ label: 'Share…', icon: IconUsersPlus, run: share }]] : []),
    [
      { label: 'Download as ZIP', icon: IconFileZip, run: archive },
      { label: 'Copy address', icon: IconLink, run: () => void copyAddress({ id, is_directory: true }) },
    ],
    ...(may.trash ? [[{ label: 'Delete', icon: IconTrash, tone: 'danger' as const, run: trash }]] : []),
  ]
}
