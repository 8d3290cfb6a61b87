/** Work of the server's commands that may take hours. */
import { runInterruptibly } from '../terminal/interrupt.ts'
import { openProgress } from '../terminal/progress.ts'

interface Watch {
  signal: AbortSignal
  onBytes(bytes: number): void
  /** Clears the progress, so that a message can be printed. It comes back by itself. */
  clear(): void
}

/** Runs the work: shows its progress, and lets Ctrl-C end it. */
export const watch = <Result>(label: string, run: (watch: Watch) => Promise<Result>): Promise<Result> =>
  runInterruptibly(async signal => {
    const progress = await openProgress()
    const transfer = progress.open(label, undefined)
    transfer.begin()
    try {
      return await run({ signal, onBytes: bytes => transfer.add(bytes), clear: progress.clear })
    } finally {
      progress.stop()
    }
  })
