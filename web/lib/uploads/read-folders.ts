/** Reads dropped folders completely, down to empty folders. */
import type { PickedFile } from '../../ui/picked-files.ts'

interface Unreadable {
  name: string
  /** Names of the folders above it. */
  folders: readonly string[]
  reason: string
  /** The entry to read again when it is a folder, else null. */
  entry: FileSystemDirectoryEntry | null
}

export interface FolderContents {
  files: PickedFile[]
  /** The paths of empty folders. */
  empty: (readonly string[])[]
  unreadable: Unreadable[]
}

interface Reading {
  found: FolderContents
  /** Called with the number of files in each batch of entries. */
  onFound: (files: number) => void
  signal: AbortSignal
}

const nextEntries = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject))

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

async function readFile(entry: FileSystemFileEntry, folders: readonly string[], { found }: Reading): Promise<void> {
  try {
    found.files.push({ file: await fileOf(entry), folders })
  } catch {
    found.unreadable.push({ name: entry.name, folders, reason: 'The file cannot be read', entry: null })
  }
}

/** A reader returns its entries in batches (100 in Chromium), and an empty batch at the end. */
async function readFolder(entry: FileSystemDirectoryEntry, above: readonly string[], reading: Reading): Promise<void> {
  const { found, onFound, signal } = reading
  const folders = [...above, entry.name]
  const reader = entry.createReader()
  let isEmpty = true
  try {
    for (let portion = await nextEntries(reader); portion.length > 0; portion = await nextEntries(reader)) {
      signal.throwIfAborted()
      isEmpty = false
      await Promise.all(
        portion.map(each =>
          each.isDirectory
            ? readFolder(each as FileSystemDirectoryEntry, folders, reading)
            : readFile(each as FileSystemFileEntry, folders, reading),
        ),
      )
      onFound(found.files.length)
    }
    if (isEmpty) found.empty.push(folders)
  } catch {
    signal.throwIfAborted()
    found.unreadable.push({ name: entry.name, folders: above, reason: 'The folder cannot be read', entry })
  }
}

/** Everything in some folders. Unreadable entries are listed and stop nothing. Rejects only when aborted. */
export async function readFolders(
  folders: readonly FileSystemDirectoryEntry[],
  onFound: (files: number) => void,
  signal: AbortSignal,
): Promise<FolderContents> {
  const found: FolderContents = { files: [], empty: [], unreadable: [] }
  await Promise.all(folders.map(folder => readFolder(folder, [], { found, onFound, signal })))
  return found
}
