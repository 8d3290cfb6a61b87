/** Everything that a command prints: data on stdout, all else on stderr. */
import type { Writable } from 'node:stream'
import { visible } from './visible.ts'

/** What JSON allows bare and terminals obey: DEL, the C1 controls, and what reorders text. */
const bareHazards = /[\u007f-\u009f\p{Bidi_Control}]/gu

const endQuietlyAfter = (stream: NodeJS.WriteStream) => (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
  if (error.code === 'EPIPE') process.exit(0)
  if (stream === process.stdout) printError(`Cannot write to standard output: ${error.message}`)
  process.exit(1)
}

function guard(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error') === 0) stream.once('error', endQuietlyAfter(stream))
  return stream
}

/** Stdout, for data alone. */
export const dataStream = (): Writable => guard(process.stdout)

/** Prints a text of data and a line end. Names in it must have gone through `visible`. */
export function printData(text: string): void {
  dataStream().write(`${text}\n`)
}

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, null, 2)
  printData(text.replace(bareHazards, hazard => `\\u${hazard.charCodeAt(0).toString(16).padStart(4, '0')}`))
}

let diverted: ((message: string) => void) | undefined

/** Hands every notice to what has the whole screen for itself, until the answer is called. */
export function divertNotices(show: (message: string) => void): () => void {
  diverted = show
  return () => {
    diverted = undefined
  }
}

/** Tells the person something that is neither data nor a failure, on one line. */
export function printNotice(message: string) {
  if (diverted !== undefined) return diverted(message)
  guard(process.stderr).write(`${visible(message)}\n`)
}

/** Says on stderr what went wrong. */
export function printError(message: string): void {
  printNotice(`error: ${message}`)
}
