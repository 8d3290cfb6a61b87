/** Dragging a file out of the window: it is downloaded to where it is dropped. Only Chromium's browsers can. */
import type { DragEvent } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { downloadUrl } from '../lib/local/download.ts'
import { showDragPill } from '../ui/drag-pill.ts'
import { isTouch } from '../ui/touch.ts'

/** The browser's format separates type, name and address by colons. */
export function offerDownload(transfer: DataTransfer, { id, name, mime_type }: FileItem): void {
  const type = mime_type ?? 'application/octet-stream'
  transfer.setData('DownloadURL', `${type}:${name.replaceAll(':', '_')}:${downloadUrl(id)}`)
}

/** Starts dragging a file that nothing on the page takes. */
export function startDownloadDrag(event: DragEvent, file: FileItem): void {
  // A finger that rests on a file does not want it to be downloaded.
  if (isTouch()) {
    event.preventDefault()
    return
  }
  const { dataTransfer } = event
  dataTransfer.effectAllowed = 'copy'
  offerDownload(dataTransfer, file)
  showDragPill(dataTransfer, file.name)
}
