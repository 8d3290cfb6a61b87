/** The rows of uploads that an earlier page has left unfinished: how they come into the tray, and go on. */
import { createRow, newBatch } from './add-uploads.ts'
import type { Unfinished } from './kept-uploads.ts'
import { enqueue, openTray } from './queue.ts'
import { addRows, allUploads, changeRow } from './rows.ts'
import { isFileOf } from './same-file.ts'
import type { Uploads } from './state.ts'
import { existingFolder } from './target-folder.ts'
import type { Upload } from './upload.ts'

/** Whether all its bytes are on the server, so that it goes on without its file. */
const isWhole = ({ begun }: Upload): boolean => begun !== null && begun.received === begun.size

/** Whether the user has to choose its file again. */
export const needsFile = (upload: Upload): boolean =>
  upload.status === 'unfinished' && upload.begun?.handle === null && !isWhole(upload)

function rowOf(uploads: Uploads, begun: Unfinished): Upload {
  const { name, size, folderId, folderName } = begun
  const target = existingFolder({ id: folderId, name: folderName })
  const start = { batch: newBatch(), name, target, size, begun }
  return createRow(uploads, { ...start, status: 'unfinished', isInPieces: true, sent: begun.received })
}

/** Shows the signed-in user's unfinished uploads in the tray. */
async function showUnfinished(uploads: Uploads): Promise<void> {
  const found = await uploads.deps.pieces.findUnfinished()
  const shown = new Set(allUploads(uploads.rows).map(({ begun }) => begun?.id))
  const rows = found.filter(({ id }) => !shown.has(id)).map(each => rowOf(uploads, each))
  if (rows.length === 0) return
  openTray(uploads)
  addRows(uploads.rows, rows)
}

/** Shows them now, and again when another user signs in. */
export function followUnfinished(uploads: Uploads): void {
  const { session } = uploads.deps
  let shownFor: number | undefined
  const show = () => {
    const { user, isAuthenticated } = session.getState()
    if (!isAuthenticated || user === null || user.id === shownFor) return
    shownFor = user.id
    // They are shown at the next visit.
    showUnfinished(uploads).catch(() => undefined)
  }
  session.subscribe(show)
  show()
}

/** Goes on with a row. Without its file this is only possible if all bytes are there. */
function goOn(uploads: Uploads, { id, name }: Upload, file: File | null): void {
  // The upload keeps its name, whatever the file is called by now.
  const named = file === null || file.name === name ? file : new File([file], name, file)
  changeRow(uploads.rows, id, { status: 'waiting', note: null, file: named })
  enqueue(uploads, [id])
}

/** Goes on with an unfinished upload from a file that the user has chosen for it, unless it is another one. */
async function continueFrom(uploads: Uploads, upload: Upload, file: File): Promise<void> {
  if (upload.begun === null) return
  const isSame = await isFileOf(upload.begun, file).catch(() => false)
  if (uploads.rows.byId.get(upload.id)?.status !== 'unfinished') return
  if (isSame) goOn(uploads, upload, file)
  else changeRow(uploads.rows, upload.id, { note: 'Not the same file' })
}

type AskedHandle = FileSystemFileHandle & {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/** Goes on with an unfinished upload. `choose` lets the user choose its file where the browser cannot open it again. */
export async function continueUpload(
  uploads: Uploads,
  upload: Upload,
  choose: (onChosen: (file: File) => void) => void,
): Promise<void> {
  if (isWhole(upload)) return goOn(uploads, upload, null)
  const handle: AskedHandle | null | undefined = upload.begun?.handle
  const mayRead = (await handle?.requestPermission?.({ mode: 'read' }).catch(() => 'denied')) === 'granted'
  const file = mayRead ? await handle?.getFile().catch(() => undefined) : undefined
  if (file === undefined) choose(chosen => void continueFrom(uploads, upload, chosen))
  else await continueFrom(uploads, upload, file)
}
