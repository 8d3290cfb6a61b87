/** Runs uploads and decides what their results mean. None starts while the user is signed out or the server is down. */
import type { FileItem } from '../../../src/api/items.ts'
import { NotResumable } from '../../../src/api/resumable-doors.ts'
import {
  isByProxy,
  isFolderLost,
  isFolderUnanswered,
  isNameTaken,
  isOverQuota,
  isPieceUnanswered,
  isRefused,
  isSignedOut,
  metadataProblems,
  sentenceOf,
  sharesFate,
  waitOf,
} from './failures.ts'
import { LineError } from './line-error.ts'
import { addRows, allUploads, changeRow, dropRow } from './rows.ts'
import { sendRun } from './send.ts'
import type { Uploads } from './state.ts'
import { forgetFolder } from './target-folder.ts'
import { isLarge, lineOf, type Run, takeNext } from './turns.ts'
import { noteOn, openOf, sentOf, type Upload } from './upload.ts'

/** Milliseconds before a completed row disappears. */
const completedStay = 2_000

/** Queues uploads behind all others. */
export function enqueue(uploads: Uploads, ids: readonly number[]): void {
  for (const id of ids) {
    const upload = uploads.rows.byId.get(id)
    if (upload?.status === 'waiting') lineOf(uploads.queue, upload).push(id)
  }
  startWaiting(uploads)
}

/** Removes a row in any state; cancels its upload if it is running. */
export function removeUpload(uploads: Uploads, id: number): void {
  leaveRun(uploads, id)
  const upload = uploads.rows.byId.get(id)
  if (upload !== undefined && upload.status !== 'completed') uploads.deps.pieces.abandon(upload)
  dropRow(uploads.rows, id)
  if (uploads.rows.byId.size === 0 && uploads.useReading.getState().files === null) closeTray(uploads)
  startWaiting(uploads)
}

/**
 * Takes an upload out of its request, and aborts that unless the server has all of it and stores other files too. The
 * others of an aborted request go again.
 */
function leaveRun(uploads: Uploads, id: number): void {
  const { running } = uploads.queue
  const own = running.get(id)
  running.delete(id)
  if (own === undefined) return
  const others = allUploads(uploads.rows).filter(other => running.get(other.id) === own)
  if (own.isSent && others.length > 0) return
  own.controller.abort()
  for (const other of others.toReversed()) {
    running.delete(other.id)
    waitAgain(uploads, other)
  }
}

export const openTray = ({ deps }: Uploads): void => deps.tray.setState({ isOpen: true })
export const closeTray = ({ deps }: Uploads): void => deps.tray.setState({ isOpen: false })

/** Cancels an upload or dismisses its row for the user; a cancelled upload can be undone. */
export function cancelUpload(uploads: Uploads, id: number): void {
  const upload = uploads.rows.byId.get(id)
  removeUpload(uploads, id)
  if (upload?.status === 'uploading')
    offerBack(uploads, [{ ...upload, status: 'waiting', sent: 0, isUnsure: true }], 'Upload cancelled')
  if (upload?.status === 'unfinished') offerBack(uploads, [upload], 'Upload discarded')
}

/** Closes the tray when it contains only failures; Undo brings them back. */
export function dismissFailed(uploads: Uploads): void {
  const failed = allUploads(uploads.rows).filter(({ status }) => status === 'error')
  closeTray(uploads)
  if (failed.length === 0) return
  const what = failed.length === 1 ? 'Failed upload' : `${failed.length.toLocaleString('en-US')} failed uploads`
  offerBack(uploads, failed, `${what} dismissed`)
}

function offerBack(uploads: Uploads, dropped: readonly Upload[], message: string): void {
  uploads.deps.offerUndo(message, () => {
    openTray(uploads)
    for (const upload of dropped) uploads.deps.pieces.takeBack(upload)
    addRows(uploads.rows, dropped)
    enqueue(
      uploads,
      dropped.map(({ id }) => id),
    )
  })
}

export function startWaiting(uploads: Uploads): void {
  const { queue, rows, usePause } = uploads
  while (!queue.isHeld && !queue.isCutOff && usePause.getState().until === null) {
    const group = takeNext(rows, queue, queue.running)
    if (group.length === 0) return
    void run(uploads, group)
  }
}

/** Runs one request. After a cancellation a row is gone, or Undo has restored it and it runs again: leave it alone. */
async function run(uploads: Uploads, group: readonly Upload[]): Promise<void> {
  const { running } = uploads.queue
  const own: Run = { controller: new AbortController(), isLarge: group.some(isLarge), isSent: false }
  for (const upload of group) {
    const { id } = upload
    const sent = sentOf(upload)
    running.set(id, own)
    changeRow(uploads.rows, id, { status: 'uploading', sent, sentBefore: sent, startedAt: performance.now() })
  }
  const isOwn = ({ id }: Upload) => running.get(id) === own
  try {
    for (const outcome of await sendRun(uploads, group, own)) {
      if (!isOwn(outcome.upload)) continue
      if ('item' in outcome) complete(uploads, outcome.upload, outcome.item)
      else settle(uploads, outcome.upload, outcome.error)
    }
  } catch (error) {
    settleGroup(uploads, group.filter(isOwn), own, error)
  } finally {
    for (const upload of group) if (isOwn(upload)) running.delete(upload.id)
    startWaiting(uploads)
  }
}

function complete(uploads: Uploads, { id, name }: Upload, item: FileItem | null): void {
  const { rows, deps } = uploads
  changeRow(rows, id, { status: 'completed', note: item && noteOn(item, name) })
  deps.after(completedStay, () => removeUpload(uploads, id))
  const { describing, clashing } = rows.totals
  uploads.arrivals(openOf(rows.totals) === describing + clashing)
}

/** Decides what happens to an upload that failed. */
function settle(uploads: Uploads, upload: Upload, error: unknown): void {
  if (!uploads.rows.byId.has(upload.id)) return
  const seconds = waitOf(error)
  if (seconds !== undefined) pause(uploads, seconds)
  const isUnanswered =
    error instanceof LineError || isFolderUnanswered(error) || (upload.isInPieces && isPieceUnanswered(error))
  if (error instanceof NotResumable) waitAgain(uploads, { ...upload, isInPieces: false })
  else if (seconds !== undefined || isSignedOut(error)) waitAgain(uploads, upload)
  else if (isUnanswered && mayWait(upload, error)) waitAgain(uploads, waited(uploads, upload, error))
  else if (isNameTaken(error)) clash(uploads, upload)
  else fail(uploads, upload, error)
  if (isUnanswered) void waitForServer(uploads)
}

/** How often an upload waits for a server that does not answer; the next such failure is final. */
const mostWaits = 3

/** Whether an upload may go again by itself: not if its bytes may have arrived, and another try would store them twice. */
const mayWait = ({ waits, rule, isInPieces }: Upload, error: unknown): boolean =>
  waits < mostWaits && (isInPieces || !(error instanceof LineError && rule === 'rename'))

/** One that has come further than at its last break waits as if for the first time. */
function waited({ rows }: Uploads, upload: Upload, error: unknown): Upload {
  const reached = upload.isInPieces ? (rows.byId.get(upload.id)?.sent ?? 0) : 0
  return {
    ...upload,
    waits: reached > upload.reached ? 0 : upload.waits + 1,
    reached: Math.max(reached, upload.reached),
    isUnsure: upload.isUnsure || error instanceof LineError,
  }
}

/**
 * Decides what happens to several uploads whose request failed. They go again, each by itself, unless that could store a
 * file twice: one that gets a free name, and that may have arrived.
 */
function settleGroup(uploads: Uploads, group: readonly Upload[], { isSent }: Run, error: unknown): void {
  const { queue } = uploads
  const isLine = error instanceof LineError
  const mayBeStored = !isRefused(error) && (isSent || !isLine)
  if (isByProxy(error) && waitOf(error) === undefined) queue.mayJoin = false
  if (isLine) void waitForServer(uploads)
  for (const upload of group.toReversed()) {
    if (waitOf(error) !== undefined || isSignedOut(error)) settle(uploads, upload, error)
    else if (mayBeStored && upload.rule === 'rename') fail(uploads, upload, error)
    else waitAgain(uploads, { ...upload, isAlone: true, isUnsure: upload.isUnsure || mayBeStored })
  }
}

/** While the server is down, waiting uploads are not tried. They continue once it is back. */
async function waitForServer(uploads: Uploads): Promise<void> {
  uploads.queue.isCutOff = true
  await uploads.deps.waitForServer()
  uploads.queue.isCutOff = false
  startWaiting(uploads)
}

/** Marks an upload as failed, and the waiting ones that would fail for the same reason. */
function fail({ rows }: Uploads, upload: Upload, error: unknown): void {
  const why = { isOverQuota: isOverQuota(error), isFolderLost: isFolderLost(error) }
  const failure = { status: 'error', note: sentenceOf(error), ...why } as const
  const isUnsure = upload.isUnsure || error instanceof LineError
  changeRow(rows, upload.id, { ...failure, problems: metadataProblems(error), isUnsure })
  const isLost = sharesFate(error, upload)
  for (const other of allUploads(rows)) {
    if (other.status === 'waiting' && isLost(other)) changeRow(rows, other.id, failure)
  }
}

/** Puts an upload back at the head of its line. */
function waitAgain({ rows, queue }: Uploads, upload: Upload): void {
  const { id, target, waits, reached, isInPieces, isAlone, isUnsure } = upload
  forgetFolder(target)
  const sent = sentOf(rows.byId.get(id) ?? upload)
  changeRow(rows, id, { status: 'waiting', sent, waits, reached, isInPieces, isAlone, isUnsure })
  lineOf(queue, upload).unshift(id)
}

/** The name is taken: the batch's rule decides, else the user. Only a folder's name cannot be replaced. */
function clash(uploads: Uploads, { id, batch, rule }: Upload): void {
  changeRow(uploads.rows, id, { status: 'clashing', rule })
  if (batch.rule === 'skip') removeUpload(uploads, id)
  else if (batch.rule !== null && batch.rule !== rule) decide(uploads, [id], batch.rule)
}

/** Retries uploads whose name is taken, under a rule. */
export function decide(uploads: Uploads, ids: readonly number[], rule: Upload['rule']): void {
  for (const id of ids) changeRow(uploads.rows, id, { status: 'waiting', rule })
  enqueue(uploads, ids)
}

function pause(uploads: Uploads, seconds: number): void {
  const { usePause, deps } = uploads
  const until = Math.max(usePause.getState().until ?? 0, Date.now() + seconds * 1000)
  usePause.setState({ until })
  deps.after(until - Date.now(), () => {
    if (usePause.getState().until !== until) return
    usePause.setState({ until: null })
    startWaiting(uploads)
  })
}
