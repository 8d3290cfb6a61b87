/** Makes a folder's row, tree entry or breadcrumb accept dropped items and files. */
import { type DragEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { addUploads } from '../lib/uploads/lazy-uploads.ts'
import { hideDropWord, showDropWord } from '../ui/drop-word.ts'
import { carriesFiles, useFileDrop } from '../ui/use-file-drop.ts'
import { useStable } from '../ui/use-stable.ts'
import { type Destination, home, labelOf } from './destination.ts'
import { type DropTarget, dropItems, dropKind, dropWord, isItemDrag, notAllowed } from './item-drag.ts'
import { useFolderRights } from './rights.ts'

/** Milliseconds of hovering before a folder opens, so that the user can drop into its sub-folders. */
const lingerTime = 600

type Listeners = Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>

export interface FolderDrop {
  /** The folder under the pointer that would accept the drop (null is the root); undefined when there is none. */
  over: number | null | undefined
  /** Event handlers for a folder. */
  target: (folder: DropTarget) => Listeners
}

type Drags = Record<'over' | 'leave' | 'drop', (event: DragEvent, folder: DropTarget) => void>

/** `onLinger` is called for a folder that the drag hovers over for a while, whether or not it accepts the drop. */
export function useFolderDrop(onLinger?: (folderId: number | null) => void): FolderDrop {
  const [hovered, setHovered] = useState<{ id: number | null; accepts: boolean } | null>(null)
  const rightsIn = useFolderRights()
  const droppedOn = useRef<Destination>(home)
  const { handlers } = useFileDrop(picked => {
    const { id } = droppedOn.current
    addUploads(picked, { id, name: labelOf(droppedOn.current) })
  })
  useLinger(hovered === null ? undefined : hovered.id, onLinger)

  const drags = useStable<Drags>({
    over: (event, folder) => {
      const isOwn = isItemDrag(event)
      if (!isOwn && !carriesFiles(event)) return
      const kind = isOwn ? dropKind(folder) : null
      const accepts = isOwn ? kind !== null : rightsIn(folder.may).upload
      setHovered(now => (now?.id === folder.id && now.accepts === accepts ? now : { id: folder.id, accepts }))
      const said = isOwn ? dropWord(folder) : uploadWord(folder, accepts)
      if (said === null) hideDropWord()
      else showDropWord(event, said.word, said.isRefusal)
      if (!accepts) return
      if (!isOwn) return handlers.onDragOver(event)
      event.preventDefault()
      event.dataTransfer.dropEffect = kind ?? 'none'
    },
    leave: (event, folder) => {
      // Moving from the row to an element inside it does not leave the row.
      if (event.currentTarget.contains(event.relatedTarget as Node | null)) return
      hideDropWord()
      setHovered(now => (now?.id === folder.id ? null : now))
    },
    drop: (event, folder) => {
      hideDropWord()
      setHovered(null)
      if (isItemDrag(event)) {
        if (dropKind(folder) === null) return
        event.preventDefault()
        return dropItems(folder)
      }
      if (!rightsIn(folder.may).upload) return
      droppedOn.current = folder
      handlers.onDrop(event)
    },
  })
  const over = hovered?.accepts ? hovered.id : undefined
  return useMemo(() => ({ over, target: folder => listenersOf(drags, folder) }), [over, drags])
}

const uploadWord = (folder: DropTarget, accepts: boolean) =>
  accepts ? { word: `Upload to ${labelOf(folder)}`, isRefusal: false } : notAllowed

const listenersOf = (drags: Drags, folder: DropTarget): Listeners => ({
  onDragOver: event => drags.over(event, folder),
  onDragLeave: event => drags.leave(event, folder),
  onDrop: event => drags.drop(event, folder),
})

function useLinger(folderId: number | null | undefined, onLinger?: (folderId: number | null) => void): void {
  const latest = useRef(onLinger)
  useLayoutEffect(() => {
    latest.current = onLinger
  })
  useEffect(() => {
    if (folderId === undefined) return
    const timer = setTimeout(() => latest.current?.(folderId), lingerTime)
    return () => clearTimeout(timer)
  }, [folderId])
}
