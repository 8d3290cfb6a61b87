/**
 * Writes log lines synchronously and drops those that cannot be written, so a full disk neither ends nor blocks a run.
 */
import { writeSync } from 'node:fs'
import { systemCode } from './errors.ts'

/** ms to wait for a slow reader, and ms between two tries. */
const patience = 100
const pause = 5

const stderr = 2

const never = new Int32Array(new SharedArrayBuffer(4))

/** Receives log lines. pino passes each as a text that ends with a line break. */
interface LogOutput {
  write(line: string): void
}

/** How many bytes of a text were written, and the error if that was not all. */
interface Written {
  bytes: number
  error?: unknown
}

/** Writes as much as possible. If a pipe is full, it waits for the reader, if it may. */
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
 * Opens an output that writes to stderr. A line that cannot be written (full disk, closed pipe) is dropped, and
 * `onLost` is called. Once writing works again, the first line says how many were lost.
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

  /** Ends a line that was cut off, and logs how many lines are missing. */
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
