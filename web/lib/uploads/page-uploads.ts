/** The uploads of this page, with its session, connection and notices. */
import { useCallback, useSyncExternalStore } from 'react'
import type { Picked } from '../../ui/picked-files.ts'
import { showToast } from '../../ui/toast.tsx'
import { refreshItems } from '../data/folders.ts'
import { useAuth } from '../server/auth-store.ts'
import { call } from '../server/call.ts'
import { pageConfig } from '../server/config.ts'
import { watch } from '../server/connection.ts'
import { logFailure } from '../server/log-failure.ts'
import { addPicked } from './add-uploads.ts'
import { holdUpload } from './hold-upload.ts'
import { openKeptUploads } from './kept-uploads.ts'
import { openUploads } from './open-uploads.ts'
import { openPieces } from './pieces.ts'
import { type After, watchRow } from './rows.ts'
import type { ExistingFolder } from './target-folder.ts'
import { useTray } from './tray.ts'
import type { Upload } from './upload.ts'
import { sendPiece, sendUpload, sendUploads } from './upload-request.ts'
import { watchPage } from './watch-page.ts'

const after: After = (milliseconds, run) => void setTimeout(run, milliseconds)

export const pageUploads = openUploads({
  call,
  send: sendUpload,
  sendMany: sendUploads,
  pieces: openPieces({
    call,
    sendPiece,
    kept: openKeptUploads(),
    hold: holdUpload,
    userId: () => useAuth.getState().user?.id,
    after,
  }),
  waitForServer: watch,
  session: useAuth,
  tray: useTray,
  refresh: refreshItems,
  offerUndo: (message, undo) => void showToast({ tone: 'notice', message, action: { label: 'Undo', run: undo } }),
  noteFailure: logFailure,
  maxFileSize: pageConfig.max_file_size,
  after,
})
watchPage(pageUploads)

/** Uploads into a folder. */
export const addToPage = (picked: Picked, folder: ExistingFolder): Promise<void> =>
  addPicked(pageUploads, picked, folder)

export const { useReading, usePause } = pageUploads
export const useUploadList = pageUploads.rows.useList

/** A row that re-renders whenever it changes; undefined when it is gone, and for no id. */
export function useUpload(id: number | undefined): Upload | undefined {
  const watchOwn = useCallback(
    (notify: () => void) => (id === undefined ? () => undefined : watchRow(pageUploads.rows, id, notify)),
    [id],
  )
  return useSyncExternalStore(watchOwn, () => (id === undefined ? undefined : pageUploads.rows.byId.get(id)))
}

/** The upload whose taken name the dialog asks about; undefined when there is none. */
export function useAskedClash(): number | undefined {
  const { isAsked } = pageUploads.useQuestion()
  const id = useUploadList(list => list.clashing[0])
  return isAsked ? id : undefined
}
