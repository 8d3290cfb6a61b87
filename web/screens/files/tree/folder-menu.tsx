/** The menu of a folder in the tree or the breadcrumbs, and the dialog for a new sub-folder. */
import { useEffect, useState } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'
import type { ItemActions } from '../../../items/actions/use-item-actions.tsx'
import { type Destination, home } from '../../../items/destination.ts'
import { useFolderRights } from '../../../items/rights.ts'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import { NewFolderDialog } from '../new-folder-dialog.tsx'
import { folderGroups } from './folder-actions.ts'
import { closeFolderMenu, useFolderMenu } from './folder-menu-state.ts'
import { openInTree } from './open-folders.ts'

interface FolderMenuProps {
  actions: ItemActions
  /** Called before the folder is trashed. */
  onTrash: (folder: FileItem) => void
}

export function FolderMenu({ actions, onTrash }: FolderMenuProps) {
  const menu = useFolderMenu(state => state.menu)
  /** The parent of the new folder; kept while the dialog closes. */
  const [parent, setParent] = useState(home)
  const [isMaking, setMaking] = useState(false)
  const onMake = (folder: Destination) => {
    setParent(folder)
    setMaking(true)
  }
  const trash = (folder: FileItem) => {
    onTrash(folder)
    actions.trash([folder])
  }
  const rightsIn = useFolderRights()
  const onFolder = { actions, mayMake: rightsIn(menu?.folder.may ?? null).makeFolder, onMake, onTrash: trash }
  const groups = menu === null ? [] : folderGroups(menu.folder, onFolder)
  const isVain = menu !== null && groups.length === 0
  useEffect(() => {
    if (isVain) closeFolderMenu()
  }, [isVain])
  const close = () => {
    closeFolderMenu()
    if (menu?.from instanceof HTMLElement) menu.from.focus()
  }
  return (
    <>
      {menu !== null && !isVain && (
        // A landmark of its own, since it is inside neither the tree nor the main content.
        <section aria-label={`Actions for ${menu.folder.name}`}>
          <ActionMenu place={menu.place} groups={groups} label={`Actions for ${menu.folder.name}`} onClose={close} />
        </section>
      )}
      <NewFolderDialog
        opened={isMaking}
        parentId={parent.id}
        onClose={() => setMaking(false)}
        onCreated={() => openInTree([parent.id])}
      />
    </>
  )
}
