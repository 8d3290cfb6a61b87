/** The dialogs that act on items; each loads its code when it is first opened. */
import type { FileItem } from '../../../src/api/items.ts'
import type { TagStep } from '../../lib/data/tagging.ts'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import type { Destination } from '../destination.ts'

const MoveDialog = lazyPart(() => import('./move-dialog.tsx'), 'MoveDialog')
const TagManager = lazyPart(() => import('../tag-manager.tsx'), 'TagManager')

/** An open dialog and the items it acts on, at least one. */
export interface OpenDialog {
  kind: 'move' | 'copy' | 'tags'
  items: readonly FileItem[]
}

interface ItemDialogsProps {
  /** Null while none is open. */
  dialog: OpenDialog | null
  onClose: () => void
  onMove: (items: readonly FileItem[], to: Destination) => void
  onCopy: (items: readonly FileItem[], to: Destination) => void
  onTag: (files: readonly FileItem[], steps: readonly TagStep[]) => void
}

export function ItemDialogs({ dialog, onClose, onMove, onCopy, onTag }: ItemDialogsProps) {
  if (dialog === null) return null
  const { kind, items } = dialog
  if (kind === 'tags') return <TagManager files={items} onClose={onClose} onTag={steps => onTag(items, steps)} />
  return (
    <MoveDialog
      action={kind}
      items={items}
      onClose={onClose}
      onSelect={folder => (kind === 'move' ? onMove(items, folder) : onCopy(items, folder))}
    />
  )
}
