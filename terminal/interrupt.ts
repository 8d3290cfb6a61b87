/** Turns Ctrl-C and similar signals into an AbortSignal, so that commands clean up before the process ends. */
import { CommandError } from './exit.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command that the person can interrupt: it then ends early with exit code 130. A second signal ends it at once.
 */
export async function runInterruptibly<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const release = () => {
    for (const name of signals) process.off(name, interrupt)
  }
  // The listener stays after the first signal: the spinner's own listener ends the process if no other one is left.
  const interrupt = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      release()
      process.kill(process.pid, name)
    }
    controller.abort(new CommandError('interrupted', 'Interrupted'))
  }
  for (const name of signals) process.on(name, interrupt)
  try {
    return await run(controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error
  } finally {
    release()
  }
}
