/** Everything that a command prints goes through here: data to stdout, all else to stderr. */
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ProcessContext, processContext, runInContext } from '../src/base/process-context.ts'
import { visible } from './visible.ts'

/**
 * Characters that JSON allows unescaped but that terminals act on: DEL, C1 controls, line separators, bidi controls.
 */
const bareHazards = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** The last error of each stream. The command goes on after one, so that it leaves nothing half done. */
const failures = new WeakMap<Writable, NodeJS.ErrnoException | undefined>()

function guard(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (failures.has(stream)) return stream
  failures.set(stream, undefined)
  const context = processContext()
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const isFirst = failures.get(stream) === undefined
    failures.set(stream, error)
    // If nobody reads stderr, or the reader of the data has seen enough (`| head`), the command has not failed.
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

/**
 * Streams bytes to stdout, and stops without throwing if stdout fails. Throws if the signal aborts or the content
 * fails.
 */
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

/** Prints data and a line end. Names from other people in it must have gone through `visible`. */
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
  /** Ends the list, then adds the properties of `rest` to the document. */
  end(rest: object): void
}

/** Prints one JSON document that holds a list, item by item, because the list may be larger than memory. */
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

/**
 * Passes every notice to `show` instead of stderr, for a program that fills the screen. Call the result to end this.
 */
export function divertNotices(show: (message: string) => void): () => void {
  const context = processContext()
  diversions.set(context, show)
  return () => {
    diversions.delete(context)
  }
}

/** Prints one line on stderr that is neither data nor an error. */
export function printNotice(message: string) {
  const divert = diversions.get(processContext())
  if (divert !== undefined) return divert(message)
  messageStream().write(`${visible(message)}\n`)
}

/** Prints an error on stderr. */
export function printError(message: string): void {
  printNotice(`error: ${message}`)
}
