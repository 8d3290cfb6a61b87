/** What somebody dropped, pasted or chose: files at hand, and folders that have yet to be looked into. */

export interface PickedFile {
  file: File
  /** Names of the folders that it came in, the outermost first; none for a file by itself. */
  folders: readonly string[]
}

export interface Picked {
  files: readonly PickedFile[]
  /** Dropped folders. Only the event itself gives them away; what is in them can be read at any time. */
  folders: readonly FileSystemDirectoryEntry[]
  /** Dropped things that the browser gave nothing of. */
  lost: number
}

/** Files of the browser's own dialog; those of a chosen folder tell the way to them. */
export const pickFiles = (files: Iterable<File>): Picked => ({
  files: Array.from(files, file => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) })),
  folders: [],
  lost: 0,
})

/** What a drop or the clipboard carries; to be called while the event is under way. */
export function pickCarried({ items }: DataTransfer): Picked {
  const files: PickedFile[] = []
  const folders: FileSystemDirectoryEntry[] = []
  let lost = 0
  for (const item of items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    const file = entry?.isDirectory === true ? null : item.getAsFile()
    if (entry?.isDirectory === true) folders.push(entry as FileSystemDirectoryEntry)
    else if (file !== null) files.push({ file, folders: [] })
    else lost += 1
  }
  return { files, folders, lost }
}
