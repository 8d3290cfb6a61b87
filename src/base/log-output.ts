/** Writes the lines of the log at once, and loses those that cannot be written: no full disk ends or holds the server. */
import { writeSync } from 'node:fs'
import { systemCode } from './errors.ts'

/** ms for which a reader that is slow is waited for, and between two tries. */
const patience = 100
const pause = 5

const stderr = 2

const never = new Int32Array(new SharedArrayBuffer(4))

/** Where lines go. pino hands each over as a text with its line end. */
interface LogOutput {
  write(line: string): void
}

/** Why a part of a text could not be written, and how many bytes were. */
interface Written {
  bytes: number
  error?: unknown
}

/** Writes as much as it can; a pipe that is full takes the rest when its reader has read on. */
function writeAll(content: Buffer, mayWait: boolean): Written {
  const until = performance.now() + (mayWait ? patience : 0)
  let bytes = 0
  while (bytes < content.length) {
    try {
      bytes += writeSync(stderr, content, bytes)
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN' || performance.now() >= until) return { bytes, error }
      Atomics.wait(never, 0, 0, pause)
    }
  }
  return { bytes }
}

const lossLine = (lines: number, error: unknown): string =>
  `${JSON.stringify({ level: 40, time: Date.now(), lines, code: systemCode(error), msg: 'lines of the log were lost: it could not be written' })}\n`

/**
 * Opens what writes to stderr. What fails (a full disk, a reader that has gone) is dropped and told to `onLost`; the
 * first line that can be written again says how many were lost.
 */
export function openLogOutput(onLost: () => void = () => undefined): LogOutput {
  let lost = 0
  let reason: unknown
  let isTorn = false

  function send(text: string): boolean {
    const content = Buffer.from(text)
    const { bytes, error } = writeAll(content, lost === 0)
    if (bytes > 0) isTorn = bytes < content.length
    if (bytes === content.length) return true
    reason = error
    return false
  }

  /** Ends a line that was cut, and says what is missing. */
  function catchUp(): boolean {
    if (lost === 0) return true
    if (!send(`${isTorn ? '\n' : ''}${lossLine(lost, reason)}`)) return false
    lost = 0
    return true
  }

  return {
    write: line => {
      if (catchUp() && send(line)) return
      lost += 1
      onLost()
    },
  }
}
