/** How far dropped folders have been looked into. */
import { create } from 'zustand'
import { useTray } from '../uploads.ts'
import { type FolderContents, readFolders } from './read-folders.ts'

/** `files`: how many have been found so far; null while nothing is being read. */
export const useReading = create<{ files: number | null }>(() => ({ files: null }))

/** Milliseconds between two times that the count is told. */
const tellPause = 100
let atWork = 0

/** Everything in the folders, or null when the tray was closed before all was found. */
export async function readAll(folders: readonly FileSystemDirectoryEntry[]): Promise<FolderContents | null> {
  const controller = new AbortController()
  const stop = useTray.subscribe(({ isOpen }) => isOpen || controller.abort())
  let lastTold = 0
  const onFound = (files: number) => {
    if (performance.now() < lastTold + tellPause) return
    lastTold = performance.now()
    useReading.setState({ files })
  }
  atWork += 1
  useReading.setState({ files: 0 })
  try {
    return await readFolders(folders, onFound, controller.signal)
  } catch {
    return null
  } finally {
    stop()
    atWork -= 1
    if (atWork === 0) useReading.setState({ files: null })
  }
}
