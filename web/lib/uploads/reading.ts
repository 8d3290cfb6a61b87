/** Reads dropped folders and shows the progress; closing the tray aborts it. */
import { type FolderContents, readFolders } from './read-folders.ts'
import type { Uploads } from './state.ts'

/** Milliseconds between two updates of the count. */
const tellPause = 100

/** Everything in the folders; null when the tray was closed first. */
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
