/** The form for a new folder. */
import type { FileItem } from '../../../src/api/items.ts'
import { makeFolder } from '../../lib/data/folders.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NameForm } from '../../ui/name-form.tsx'

interface NewFolderDialogProps {
  opened: boolean
  /** The parent of the new folder; null is the root. */
  parentId: number | null
  onClose: () => void
  onCreated: (folder: FileItem) => void
}

export function NewFolderDialog({ opened, parentId, onClose, onCreated }: NewFolderDialogProps) {
  const save = async (name: string) => {
    const folder = await makeFolder(name, parentId)
    onClose()
    onCreated(folder)
  }
  return (
    <Dialog opened={opened} onClose={onClose} title="Create New Folder" closeOnClickOutside={false}>
      <NameForm
        label="Folder Name"
        action="Create Folder"
        busyAction="Creating..."
        missing="Folder name is required"
        save={save}
        explain={error => messageOf(error, 'Failed to create folder')}
        onClose={onClose}
      />
    </Dialog>
  )
}
