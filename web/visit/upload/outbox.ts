/**
 * The files that the visitor sends: chosen, then sent two at a time, then reported. A broken connection fails none of
 * them: they wait until the server can be reached.
 */
import { create } from 'zustand'
import { ApiError } from '../../../src/api/client.ts'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { metadataProblems, sentenceOf, waitOf } from '../../lib/uploads/failures.ts'
import { confirmLink } from '../link.ts'
import { endPause, noteAnswer, pauseFor, pauseForLine, untilOver } from './pause.ts'
import { LineBreak } from './request.ts'
import { type Accompaniment, sendFile } from './send-file.ts'
import { dropPieces, receivedOf } from './send-pieces.ts'

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
  /** Requests with it that broke, since the visitor last asked for it to be sent, or the server got more of it. */
  breaks: number
  /** Whether a request broke when all of it was sent. Sending it again stores nothing twice: the server recognises it. */
  mayHaveArrived: boolean
}

interface Outbox {
  files: readonly Outgoing[]
  /** Whether files are being sent now. */
  isSending: boolean
  /** Whether everything was tried, so that the page reports what has arrived. */
  isReported: boolean
  /** What the server says against the sender and the fields, by name. */
  problems: FieldErrors
}

const empty: Outbox = { files: [], isSending: false, isReported: false, problems: {} }

export const useOutbox = create<Outbox>(() => empty)

/** What was typed; it stays for the next files, and while the password is asked for again. */
export const useDraft = create(() => ({ sender: '', values: new Map<number, string>() as ReadonlyMap<number, string> }))

/** Seconds that the page waits by itself before it goes on; a longer time is told instead. */
const longestPause = 600
/** A file fails when this many of its requests have broken, minutes after the first. */
const mostBreaks = 10
/** Files sent at the same time. */
const atOnce = 2

let lastId = 0
let accompaniment: Accompaniment = { sender: null, metadata: [] }

const files = (): readonly Outgoing[] => useOutbox.getState().files

function change(id: number, to: Partial<Outgoing>): void {
  useOutbox.setState(now => ({ files: now.files.map(one => (one.id === id ? { ...one, ...to } : one)) }))
}

/** Puts a file back, to be sent again, or further, by itself. */
const waitAgain = ({ id, file }: Outgoing): void => change(id, { status: 'waiting', sent: receivedOf(file) })

const hasProblems = (): boolean => Object.keys(useOutbox.getState().problems).length > 0

/** Adds chosen files. `refuse` says why one cannot be sent, or null. */
export function addFiles(chosen: readonly File[], refuse: (file: File) => string | null): void {
  const added = chosen.map((file): Outgoing => {
    const reason = refuse(file)
    lastId += 1
    const status = reason === null ? 'waiting' : 'failed'
    return { id: lastId, file, status, sent: 0, reason, canRetry: false, breaks: 0, mayHaveArrived: false }
  })
  useOutbox.setState(now => ({ files: [...now.files, ...added] }))
}

export function removeFile(id: number): void {
  for (const { file } of files().filter(one => one.id === id)) dropPieces(file)
  const left = files().filter(one => one.id !== id)
  const isOver = left.length === 0 && !useOutbox.getState().isSending
  useOutbox.setState(isOver ? empty : { files: left })
  if (nextFile() === undefined) endPause()
}

const asNew = { status: 'waiting', reason: null, canRetry: false, breaks: 0 } as const

/** Leaves the report for the form. What has not arrived stays: to be sent with the next files, where that can help. */
export function sendMore(): void {
  const left = files().filter(({ status }) => status === 'failed')
  useOutbox.setState({ ...empty, files: left.map(one => (one.canRetry ? { ...one, ...asNew } : one)) })
}

/** Sends what waits. */
export async function sendAll(along: Accompaniment): Promise<void> {
  accompaniment = along
  if (useOutbox.getState().isSending) return
  useOutbox.setState({ isSending: true, isReported: false, problems: {} })
  await Promise.all(Array.from({ length: atOnce }, sendNext))
  endPause()
  if (files().length === 0) return useOutbox.setState(empty)
  useOutbox.setState({ isSending: false, isReported: !hasProblems() })
}

/** Sends failed files again. */
export function retry(ids: readonly number[]): void {
  for (const id of ids) change(id, asNew)
  void sendAll(accompaniment)
}

/** The next file to send: one that breaks each connection must not hold up the others. */
const nextFile = (): Outgoing | undefined =>
  files()
    .filter(({ status }) => status === 'waiting')
    .sort((a, b) => a.breaks - b.breaks)[0]

async function sendNext(): Promise<void> {
  if (nextFile() !== undefined) await untilOver()
  // After a refusal of the form the rest waits for the visitor.
  const next = nextFile()
  if (next === undefined || hasProblems()) return
  const { id, file } = next
  change(id, { status: 'sending', sent: receivedOf(file), reason: null })
  try {
    await sendFile(file, accompaniment, sent => change(id, { sent }))
    noteAnswer()
    change(id, { status: 'arrived', sent: file.size })
  } catch (error) {
    await takeFailure(next, error)
  }
  return sendNext()
}

async function takeFailure(one: Outgoing, error: unknown): Promise<void> {
  if (error instanceof LineBreak) return takeBreak(one.id, error)
  if (error instanceof ApiError) noteAnswer()
  const seconds = waitOf(error)
  if (seconds !== undefined && seconds <= longestPause) {
    waitAgain(one)
    return pauseFor(seconds)
  }
  const problems = isClosed(error) ? { form: closed } : metadataProblems(error)
  if (problems !== null) {
    waitAgain(one)
    return useOutbox.setState({ problems })
  }
  if (error instanceof ApiError && error.status === 401) {
    // The files stay, and are sent when the visitor has given the password.
    waitAgain(one)
    useOutbox.setState({ problems: { form: 'Give the password again, then send the rest.' } })
    return void (await confirmLink(error))
  }
  fail(one.id, error)
}

/** The connection broke: the file waits until the server can be reached, unless that has not helped many times. */
function takeBreak(id: number, error: LineBreak): void {
  const one = files().find(other => other.id === id)
  if (one === undefined) return
  if (error.isFurther) noteAnswer()
  const breaks = error.isFurther ? 1 : one.breaks + 1
  change(id, { breaks, mayHaveArrived: one.mayHaveArrived || error.isSent })
  if (breaks >= mostBreaks) fail(id, error)
  else waitAgain(one)
  pauseForLine()
}

/**
 * The link takes no files, now or for good; so none of the others would arrive. A proxy's refusal has no code, and is
 * about the one file.
 */
const isClosed = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'forbidden' || error.code === 'not_found')
const closed = 'The link takes no files at the moment. They stay here: send them again later.'

function fail(id: number, error: unknown): void {
  const canRetry = !(error instanceof ApiError) || !lasting.has(error.status)
  change(id, { status: 'failed', sent: 0, reason: sentenceOf(error), canRetry })
}

/** Refusals that another try would meet again: the file is too large, or the space is full. */
const lasting = new Set([413, 415])
