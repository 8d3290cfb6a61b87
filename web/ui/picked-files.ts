/** What the user dropped, pasted or chose: files, and folders that are not read yet. */

export interface PickedFile {
  file: File
  /** Names of its parent folders, outermost first; empty for a single file. */
  folders: readonly string[]
}

export interface Picked {
  files: readonly PickedFile[]
  /** Dropped folders. Entries are available only during the event, their contents at any time. */
  folders: readonly FileSystemDirectoryEntry[]
  /** How many dropped entries the browser gave no access to. */
  lost: number
}

/** The files of a file input; those of a chosen folder carry their path. */
export const pickFiles = (files: Iterable<File>): Picked => ({
  files: Array.from(files, file => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) })),
  folders: [],
  lost: 0,
})

const handles = new WeakMap<File, Promise<FileSystemHandle | null>>()

/** What opens a dropped file again after a reload; null where the browser gives none. */
export async function handleOf(file: File): Promise<FileSystemFileHandle | null> {
  const handle = await handles.get(file)?.catch(() => null)
  return handle?.kind === 'file' ? (handle as FileSystemFileHandle) : null
}

/** Only Chromium has it, and only in secure pages. */
type CarriedItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }

/** The files of a drop or the clipboard. Call this during the event. */
export function pickCarried({ items }: DataTransfer): Picked {
  const files: PickedFile[] = []
  const folders: FileSystemDirectoryEntry[] = []
  let lost = 0
  for (const item of items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    const file = entry?.isDirectory === true ? null : item.getAsFile()
    if (entry?.isDirectory === true) folders.push(entry as FileSystemDirectoryEntry)
    else if (file === null) lost += 1
    else {
      files.push({ file, folders: [] })
      const handle = (item as CarriedItem).getAsFileSystemHandle?.()
      if (handle !== undefined) handles.set(file, handle)
    }
  }
  return { files, folders, lost }
}
