/** Ctrl-C and its kin as an AbortSignal, so that what is half done is cleared away before the process ends. */
import { CommandError } from './exit.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a command that ends early, with exit code 130, when the person interrupts it; a second time ends it at once. */
export async function runInterruptibly<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const release = () => {
    for (const name of signals) process.off(name, interrupt)
  }
  // It stays in place after the first signal: the spinner's own listener ends the process when it finds itself alone.
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
