/** Asks for the folder to move or copy items into. */
import type { FileItem } from '../../../src/api/items.ts'
import { itemCount } from '../counts.ts'
import type { Destination } from '../destination.ts'
import { FolderPicker } from '../folder-picker.tsx'

interface MoveDialogProps {
  action: 'move' | 'copy'
  /** At least one. */
  items: readonly FileItem[]
  onClose: () => void
  /** Called with the selected folder; then the dialog is closed. Id null is the root. */
  onSelect: (folder: Destination) => void
}

export function MoveDialog({ action, items, onClose, onSelect }: MoveDialogProps) {
  const [first] = items
  const what = first && items.length === 1 ? first.name : itemCount(items.length)
  const areHere = (folderId: number | null) => items.every(item => item.parent_id === folderId)
  const hereAlready =
    items.length === 1 ? 'The item is already in this folder.' : 'The items are already in this folder.'
  return (
    <FolderPicker
      title={`${action === 'move' ? 'Move' : 'Copy'} ${itemCount(items.length)}`}
      description={`Choose where to ${action} ${what}.`}
      startId={first?.parent_id ?? null}
      excludedIds={items.filter(item => item.is_directory).map(({ id }) => id)}
      // A copy may go into the original's folder; it gets another name.
      refusalOf={folderId => (action === 'move' && areHere(folderId) ? hereAlready : null)}
      onClose={onClose}
      onSelect={folder => {
        onClose()
        onSelect(folder)
      }}
    />
  )
}
