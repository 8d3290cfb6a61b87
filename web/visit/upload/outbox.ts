/** The files that the visitor sends: chosen, then sent two at a time, then reported. */
import { create } from 'zustand'
import { ApiError } from '../../../src/api/client.ts'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { metadataProblems, sentenceOf, waitOf } from '../../lib/uploads/failures.ts'
import { confirmLink } from '../link.ts'
import { type Accompaniment, sendFile } from './send-file.ts'

export interface Outgoing {
  id: number
  file: File
  /** What failed stays until the visitor sends it again or removes it. */
  status: 'waiting' | 'sending' | 'arrived' | 'failed'
  /** Bytes sent. */
  sent: number
  /** Why it failed. */
  reason: string | null
  /** Whether sending it again can help. */
  canRetry: boolean
}

interface Outbox {
  files: readonly Outgoing[]
  /** Whether files are being sent now. */
  isSending: boolean
  /** Whether the server has asked for a pause. */
  isPaused: boolean
  /** Whether everything was tried, so that the page reports what has arrived. */
  isReported: boolean
  /** What the server says against the sender and the fields, by name. */
  problems: FieldErrors
}

const empty: Outbox = { files: [], isSending: false, isPaused: false, isReported: false, problems: {} }

export const useOutbox = create<Outbox>(() => empty)

/** What was typed; it stays for the next files, and while the password is asked for again. */
export const useDraft = create(() => ({ sender: '', values: new Map<number, string>() as ReadonlyMap<number, string> }))

/** Seconds that the page waits by itself before it goes on; a longer time is told instead. */
const longestPause = 600
/** Files sent at the same time. */
const atOnce = 2

let lastId = 0
let accompaniment: Accompaniment = { sender: null, metadata: [] }

const files = (): readonly Outgoing[] => useOutbox.getState().files

function change(id: number, to: Partial<Outgoing>): void {
  useOutbox.setState(now => ({ files: now.files.map(one => (one.id === id ? { ...one, ...to } : one)) }))
}

const fail = (id: number, reason: string, canRetry: boolean): void =>
  change(id, { status: 'failed', sent: 0, reason, canRetry })

const hasProblems = (): boolean => Object.keys(useOutbox.getState().problems).length > 0

/** Adds chosen files. `refuse` says why one cannot be sent, or null. */
export function addFiles(chosen: readonly File[], refuse: (file: File) => string | null): void {
  const added = chosen.map((file): Outgoing => {
    const reason = refuse(file)
    lastId += 1
    return { id: lastId, file, status: reason === null ? 'waiting' : 'failed', sent: 0, reason, canRetry: false }
  })
  useOutbox.setState(now => ({ files: [...now.files, ...added] }))
}

export function removeFile(id: number): void {
  const left = files().filter(one => one.id !== id)
  useOutbox.setState(left.length === 0 ? empty : { files: left })
}

/** Forgets everything, to begin again. */
export const emptyOutbox = (): void => useOutbox.setState(empty)

/** Sends what waits. */
export async function sendAll(along: Accompaniment): Promise<void> {
  accompaniment = along
  if (useOutbox.getState().isSending) return
  useOutbox.setState({ isSending: true, isReported: false, problems: {} })
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  useOutbox.setState({ isSending: false, isReported: !hasProblems() })
}

/** Sends failed files again. */
export function retry(ids: readonly number[]): void {
  for (const id of ids) change(id, { status: 'waiting', reason: null })
  void sendAll(accompaniment)
}

/** The pause that the server has asked for; all files wait for it. */
let pause: Promise<void> | null = null

function pauseFor(seconds: number): Promise<void> {
  pause ??= new Promise<void>(resolve => setTimeout(resolve, seconds * 1000)).finally(() => {
    pause = null
    useOutbox.setState({ isPaused: false })
  })
  useOutbox.setState({ isPaused: true })
  return pause
}

async function sendNext(): Promise<void> {
  await pause
  // After a refusal of the form the rest waits for the visitor.
  const next = files().find(({ status }) => status === 'waiting')
  if (next === undefined || hasProblems()) return
  const { id, file } = next
  change(id, { status: 'sending', sent: 0, reason: null })
  try {
    await sendFile(file, accompaniment, sent => change(id, { sent }))
    change(id, { status: 'arrived', sent: file.size })
  } catch (error) {
    await takeFailure(id, error)
  }
  return sendNext()
}

async function takeFailure(id: number, error: unknown): Promise<void> {
  const seconds = waitOf(error)
  if (seconds !== undefined && seconds <= longestPause) {
    change(id, { status: 'waiting', sent: 0 })
    return pauseFor(seconds)
  }
  const problems = metadataProblems(error)
  if (problems !== null) {
    change(id, { status: 'waiting', sent: 0 })
    return useOutbox.setState({ problems })
  }
  if (error instanceof ApiError && error.status === 401) {
    // The files stay, and are sent when the visitor has given the password.
    change(id, { status: 'waiting', sent: 0 })
    useOutbox.setState({ problems: { form: 'Give the password again, then send the rest.' } })
    return void (await confirmLink(error))
  }
  fail(id, sentenceOf(error), !(error instanceof ApiError) || !lasting.has(error.status))
}

/** Refusals that another try would meet again: the link has ended, the file is too large, the space is full. */
const lasting = new Set([403, 404, 413, 415])
