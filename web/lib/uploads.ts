/** The queue of uploads: what waits, what runs, what failed, and when the next one may start. */
import { create } from 'zustand'
import { messageOf } from './call.ts'
import { refreshItems } from './folders.ts'
import { sendUpload } from './upload-request.ts'

type UploadStatus = 'waiting' | 'uploading' | 'completed' | 'error'

export interface Upload {
  id: number
  file: File
  parentId: number | null
  status: UploadStatus
  /** Bytes that have left. */
  sent: number
  /** When sending began, in ms of `performance.now()`. */
  startedAt: number
  /** Why it failed, or the name it was given when its own was taken. */
  note: string | null
}

/** From this size on a file is large: two of them fill a line, while small ones mostly wait for answers. */
const largeSize = 1024 ** 2
const parallelLarge = 2
const parallelUploads = 6
/** Milliseconds that a completed row stays. */
const completedStay = 2_000

interface UploadsState {
  uploads: Upload[]
  /** Whether the tray is on screen. */
  isOpen: boolean
}

export const useUploads = create<UploadsState>(() => ({ uploads: [], isOpen: false }))

const running = new Map<number, AbortController>()
let lastId = 0

const isLarge = ({ file }: Upload): boolean => file.size >= largeSize
export const isUnfinished = ({ status }: Upload): boolean => status === 'waiting' || status === 'uploading'

function update(id: number, change: Partial<Upload>): void {
  useUploads.setState(({ uploads }) => ({
    uploads: uploads.map(upload => (upload.id === id ? { ...upload, ...change } : upload)),
  }))
}

export const openTray = (): void => useUploads.setState({ isOpen: true })

/** Closes the tray; what is still unfinished is cancelled. */
export function cancelAllUploads(): void {
  for (const { id } of useUploads.getState().uploads) removeUpload(id)
  useUploads.setState({ isOpen: false })
}

/** Queues files for a folder (null is the root) and starts as many as may run. */
export function addUploads(files: readonly File[], parentId: number | null): void {
  const added = files.map(file => {
    lastId += 1
    return { id: lastId, file, parentId, status: 'waiting' as const, sent: 0, startedAt: 0, note: null }
  })
  useUploads.setState(({ uploads }) => ({ uploads: [...uploads, ...added], isOpen: true }))
  startWaiting()
}

/** Takes a row away, whatever its state; one that runs is cancelled. */
export function removeUpload(id: number): void {
  running.get(id)?.abort()
  useUploads.setState(({ uploads, isOpen }) => {
    const rest = uploads.filter(upload => upload.id !== id)
    return { uploads: rest, isOpen: isOpen && rest.length > 0 }
  })
  startWaiting()
}

export function retryUpload(id: number): void {
  update(id, { status: 'waiting', sent: 0, note: null })
  startWaiting()
}

function startWaiting(): void {
  const { uploads } = useUploads.getState()
  let large = uploads.filter(upload => upload.status === 'uploading' && isLarge(upload)).length
  for (const upload of uploads) {
    if (running.size >= parallelUploads) return
    if (upload.status !== 'waiting' || (isLarge(upload) && large >= parallelLarge)) continue
    if (isLarge(upload)) large += 1
    void run(upload)
  }
}

async function run({ id, file, parentId }: Upload): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  update(id, { status: 'uploading', startedAt: performance.now() })
  try {
    const onProgress = (sent: number) => update(id, { sent })
    const item = await sendUpload({ file, parentId, onProgress, signal: controller.signal })
    update(id, { status: 'completed', sent: file.size, note: item.name === file.name ? null : item.name })
    setTimeout(() => removeUpload(id), completedStay)
    refreshSoon()
  } catch (error) {
    update(id, { status: 'error', note: messageOf(error, error instanceof Error ? error.message : 'Upload failed') })
  } finally {
    running.delete(id)
    startWaiting()
  }
}

/** Milliseconds between two refreshes while many small files arrive. */
const refreshPause = 500
let isRefreshPlanned = false

/** Shows what has arrived: at once when nothing else runs, else together with what arrives in the next moment. */
function refreshSoon(): void {
  if (isRefreshPlanned) return
  isRefreshPlanned = true
  const refresh = () => {
    isRefreshPlanned = false
    void refreshItems()
  }
  setTimeout(refresh, running.size > 1 ? refreshPause : 0)
}
