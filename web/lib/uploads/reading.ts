/** Looks into dropped folders and tells how far it is; closing the tray ends it. */
import { type FolderContents, readFolders } from './read-folders.ts'
import type { Uploads } from './state.ts'

/** Milliseconds between two times that the count is told. */
const tellPause = 100

/** Everything in the folders, or null when the tray was closed before all was found. */
export async function readAll(
  uploads: Uploads,
  folders: readonly FileSystemDirectoryEntry[],
): Promise<FolderContents | null> {
  const { deps, useReading } = uploads
  const controller = new AbortController()
  const stop = deps.tray.subscribe(({ isOpen }) => isOpen || controller.abort())
  let lastTold = 0
  const onFound = (files: number) => {
    if (performance.now() < lastTold + tellPause) return
    lastTold = performance.now()
    useReading.setState({ files })
  }
  uploads.reading += 1
  useReading.setState({ files: 0 })
  try {
    return await readFolders(folders, onFound, controller.signal)
  } catch {
    return null
  } finally {
    stop()
    uploads.reading -= 1
    if (uploads.reading === 0) useReading.setState({ files: null })
  }
}
