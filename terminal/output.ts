/** Everything that a command prints: data on stdout, all else on stderr. */
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ProcessContext, processContext, runInContext } from '../src/base/process-context.ts'
import { visible } from './visible.ts'

/** What JSON allows bare and terminals obey: DEL, the C1 controls, separators of lines, and what reorders text. */
const bareHazards = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** What each stream has failed with; the work goes on, so that nothing half done stays behind. */
const failures = new WeakMap<Writable, NodeJS.ErrnoException | undefined>()

function guard(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (failures.has(stream)) return stream
  failures.set(stream, undefined)
  const context = processContext()
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const isFirst = failures.get(stream) === undefined
    failures.set(stream, error)
    // Nobody reads messages any more, or has seen enough of the data (`| head`); that is no failure of ours.
    if (!isFirst || stream === context.stderr || error.code === 'EPIPE') return
    context.exitCode = 1
    runInContext(context, () => printError(`Cannot write to standard output: ${error.message}`))
  })
  return stream
}

/** Stdout, for data alone. */
export const dataStream = (): Writable => guard(processContext().stdout)

/** Stderr, for all else. */
export const messageStream = (): Writable => guard(processContext().stderr)

/** Streams bytes to stdout, as long as somebody reads them. */
export async function sendData(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const stream = dataStream()
  if (failures.get(stream) !== undefined) return
  try {
    await pipeline(content, stream, { end: false, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (failures.get(stream) === undefined) throw error
  }
}

/** Prints a text of data and a line end. Names in it must have gone through `visible`. */
export function printData(text: string): void {
  dataStream().write(`${text}\n`)
}

const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    bareHazards,
    hazard => `\\u${hazard.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  printData(toJson(value))
}

interface JsonList {
  add(item: object): void
  /** Ends the list and the document with what else it holds. */
  end(rest: object): void
}

/** Prints one JSON document around a list that may be longer than memory, item by item. */
export function openJsonList(name: string): JsonList {
  const head = `{\n  "${name}": [`
  let count = 0
  return {
    add(item) {
      dataStream().write(`${count === 0 ? head : ','}\n    ${toJson(item).replaceAll('\n', '\n    ')}`)
      count += 1
    },
    end(rest) {
      printData(`${count === 0 ? head : '\n  '}],${toJson(rest).slice(1)}`)
    },
  }
}

const diversions = new WeakMap<ProcessContext, (message: string) => void>()

/** Hands every notice to what has the whole screen for itself, until the answer is called. */
export function divertNotices(show: (message: string) => void): () => void {
  const context = processContext()
  diversions.set(context, show)
  return () => {
    diversions.delete(context)
  }
}

/** Tells the person something that is neither data nor a failure, on one line. */
export function printNotice(message: string) {
  const divert = diversions.get(processContext())
  if (divert !== undefined) return divert(message)
  messageStream().write(`${visible(message)}\n`)
}

/** Says on stderr what went wrong. */
export function printError(message: string): void {
  printNotice(`error: ${message}`)
}
