/** Which upload runs when: six small ones or two large ones at once, none while nobody is signed in. */
import { create } from 'zustand'
import type { FileItem } from '../../../src/api/items.ts'
import { showToast } from '../../ui/toast.tsx'
import { useAuth } from '../auth-store.ts'
import { watch } from '../connection.ts'
import { closeTray, openTray, useTray } from '../uploads.ts'
import {
  FolderError,
  isFolderUnanswered,
  isNameTaken,
  isSignedOut,
  metadataProblems,
  sentenceOf,
  sharesFate,
  waitOf,
} from './failures.ts'
import { useReading } from './reading.ts'
import { addRows, allUploads, changeRow, dropRow, findUpload, openOf, totalsNow, type Upload } from './rows.ts'
import { showArrivals } from './show-arrivals.ts'
import { forgetFolder, makeFolder } from './target-folder.ts'
import { LineError, sendUpload } from './upload-request.ts'

/** From this size on a file is large: two of them fill a line, while small ones mostly wait for answers. */
const largeSize = 1024 ** 2
const parallelLarge = 2
const parallelUploads = 6
/** Milliseconds that a completed row stays. */
const completedStay = 2_000

/** Until when nothing is begun because the server asked for it, in ms of `Date.now()`; null while it does not. */
export const usePause = create<{ until: number | null }>(() => ({ until: null }))

interface Run {
  controller: AbortController
  isLarge: boolean
}

const running = new Map<number, Run>()
/** Ids in the order of their turn; those that no longer wait are passed over. */
const lines = { small: [] as number[], large: [] as number[] }
/** Whose files these are: only with that user's session do they go on. */
let ownerId = useAuth.getState().user?.id
/** Nobody is signed in, or nobody answers. */
let isHeld = false
let isCutOff = false

const isLarge = ({ size }: Upload): boolean => size >= largeSize
const lineOf = (upload: Upload): number[] => (isLarge(upload) ? lines.large : lines.small)

/** Lets uploads that wait have their turn, behind all others. */
export function enqueue(ids: readonly number[]): void {
  for (const id of ids) {
    const upload = findUpload(id)
    if (upload?.status === 'waiting') lineOf(upload).push(id)
  }
  startWaiting()
}

/** Takes a row away, whatever its state; one that runs is cancelled. */
export function removeUpload(id: number): void {
  running.get(id)?.controller.abort()
  running.delete(id)
  dropRow(id)
  if (allUploads().length === 0 && useReading.getState().files === null) closeTray()
  startWaiting()
}

/** Cancels an upload or dismisses its row, as the user asks; an upload that was under way can be had back. */
export function cancelUpload(id: number): void {
  const upload = findUpload(id)
  removeUpload(id)
  if (upload?.status === 'uploading') offerBack([{ ...upload, status: 'waiting', sent: 0 }], 'Upload cancelled')
}

/** Closes the tray when all that is left in it has failed, which can be had back. */
export function dismissFailed(): void {
  const failed = allUploads().filter(({ status }) => status === 'error')
  closeTray()
  if (failed.length === 0) return
  const what = failed.length === 1 ? 'Failed upload' : `${failed.length.toLocaleString('en-US')} failed uploads`
  offerBack(failed, `${what} dismissed`)
}

function offerBack(uploads: readonly Upload[], message: string): void {
  const takeBack = () => {
    openTray()
    addRows(uploads)
    enqueue(uploads.map(({ id }) => id))
  }
  showToast({ tone: 'notice', message, action: { label: 'Undo', run: takeBack } })
}

function headOf(line: number[]): Upload | undefined {
  for (;;) {
    const [id] = line
    if (id === undefined) return undefined
    const upload = findUpload(id)
    if (upload?.status === 'waiting') return upload
    line.shift()
  }
}

function takeNext(): Upload | undefined {
  const large = [...running.values()].filter(run => run.isLarge).length
  const heads = [headOf(lines.small), large < parallelLarge ? headOf(lines.large) : undefined]
  const [next] = heads.filter(upload => upload !== undefined).sort((a, b) => a.id - b.id)
  if (next !== undefined) lineOf(next).shift()
  return next
}

function startWaiting(): void {
  while (!isHeld && !isCutOff && usePause.getState().until === null && running.size < parallelUploads) {
    const next = takeNext()
    if (next === undefined) return
    void run(next)
  }
}

async function run(upload: Upload): Promise<void> {
  const { id } = upload
  const controller = new AbortController()
  const own = { controller, isLarge: isLarge(upload) }
  running.set(id, own)
  changeRow(id, { status: 'uploading', sent: 0, startedAt: performance.now() })
  try {
    complete(upload, await send(upload, controller.signal))
  } catch (error) {
    // Where it was cancelled the row has gone, or is back and runs anew.
    if (running.get(id) === own) settle(upload, error)
  } finally {
    if (running.get(id) === own) running.delete(id)
    startWaiting()
  }
}

/** Gives back what the file became; null for a folder, whose name nothing can change. */
async function send(upload: Upload, signal: AbortSignal): Promise<FileItem | null> {
  const { id, file, rule, values } = upload
  const parentId = await makeFolder(upload.target).catch(error => {
    throw new FolderError(error)
  })
  signal.throwIfAborted()
  if (file === null) return null
  const metadata = Array.from(values, ([field_id, value]) => ({ field_id, value })).filter(({ value }) => value !== '')
  return sendUpload({ file, parentId, rule, metadata, signal, onProgress: sent => changeRow(id, { sent }) })
}

function complete(upload: Upload, item: FileItem | null): void {
  const { id, name } = upload
  const note = item === null || item.name === name.normalize('NFC') ? null : item.name
  changeRow(id, { status: 'completed', note })
  setTimeout(() => removeUpload(id), completedStay)
  const { describing, clashing } = totalsNow()
  showArrivals(openOf(totalsNow()) === describing + clashing)
}

/** What becomes of a row whose turn brought no file. */
function settle(upload: Upload, error: unknown): void {
  const { id } = upload
  if (findUpload(id) === undefined) return
  const seconds = waitOf(error)
  if (seconds !== undefined) pause(seconds)
  const isUnanswered = isFolderUnanswered(error)
  if (seconds !== undefined || isSignedOut(error)) waitAgain(upload)
  else if (isUnanswered && !upload.hasWaited) waitAgain({ ...upload, hasWaited: true })
  else if (isNameTaken(error)) clash(upload)
  else fail(upload, error)
  if (error instanceof LineError || isUnanswered) void waitForServer()
}

/** Where the server is gone, what waits is not tried in vain, and goes on when it is back. */
async function waitForServer(): Promise<void> {
  isCutOff = true
  await watch()
  isCutOff = false
  startWaiting()
}

/** Marks an upload as failed, and with it those that wait and would fail for the same reason. */
function fail(upload: Upload, error: unknown): void {
  const failure = { status: 'error', note: sentenceOf(error) } as const
  changeRow(upload.id, { ...failure, problems: metadataProblems(error) })
  const isLost = sharesFate(error, upload)
  for (const other of allUploads()) {
    if (other.status === 'waiting' && isLost(other)) changeRow(other.id, failure)
  }
}

/** Back to the head of its line. */
function waitAgain(upload: Upload): void {
  const { id, target, hasWaited } = upload
  forgetFolder(target)
  changeRow(id, { status: 'waiting', sent: 0, hasWaited })
  lineOf(upload).unshift(id)
}

/** The name is taken: the batch's rule decides, else the user. A name that cannot be replaced is a folder's. */
function clash({ id, batch, rule }: Upload): void {
  changeRow(id, { status: 'clashing', rule })
  if (batch.rule === 'skip') removeUpload(id)
  else if (batch.rule !== null && batch.rule !== rule) decide([id], batch.rule)
}

/** Gives uploads whose name is taken another try under a rule. */
export function decide(ids: readonly number[], rule: Upload['rule']): void {
  for (const id of ids) changeRow(id, { status: 'waiting', rule })
  enqueue(ids)
}

function pause(seconds: number): void {
  const until = Math.max(usePause.getState().until ?? 0, Date.now() + seconds * 1000)
  usePause.setState({ until })
  setTimeout(() => {
    if (usePause.getState().until !== until) return
    usePause.setState({ until: null })
    startWaiting()
  }, until - Date.now())
}

function cancelAll(): void {
  for (const { controller } of running.values()) controller.abort()
  running.clear()
  for (const { id } of allUploads()) dropRow(id)
  lines.small = []
  lines.large = []
  isHeld = false
}

useTray.subscribe((now, before) => {
  if (before.isOpen && !now.isOpen) cancelAll()
})

// A session that ends in mid-work holds everything until the same user is back. What is under way ends by itself: what
// was broken off here might have arrived, and would then find its own name taken.
useAuth.subscribe(({ user, isAuthenticated }) => {
  isHeld = !isAuthenticated
  if (isHeld) return
  if (user?.id === ownerId) startWaiting()
  else {
    ownerId = user?.id
    closeTray()
  }
})
