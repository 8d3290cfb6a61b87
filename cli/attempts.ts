/** Runs one command on several items: all are tried, and the first failure decides how the command ends. */

import { CommandError, exitOf } from '../terminal/exit.ts'
import { countOf } from '../terminal/format.ts'
import { printError } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import { type Server, serverAnswers } from './client.ts'
import { explainError } from './explain.ts'
import { UnreachableError } from './network.ts'

export interface Attempts {
  /**
   * Runs one item's work. Prints and keeps a failure, or throws it if no further work can succeed. `order` is the
   * item's place among all items, for commands that try several at once.
   */
  run(name: string, work: () => Promise<void>, order?: number): Promise<void>
  /** Like `run`, for an item that has already failed elsewhere with `error`. */
  fail(name: string, error: unknown, order?: number): Promise<void>
  /** Throws `CommandError` with the exit of the first failure, if any item failed. */
  finish(): void
}

/** Whether no further item can succeed after a failure. */
const endsAll = (error: unknown): boolean => ['interrupted', 'unreachable'].includes(exitOf(error))

/** Whether the server may answer another request. It was already asked if no connection could be made. */
const mayAnswer = (error: unknown): boolean =>
  exitOf(error) === 'unreachable' && !(error instanceof UnreachableError && !error.lost)

/** Starts counting. With `alone` there is only one item, and its failure is the command's own. */
export function startAttempts(server: Server, alone: boolean): Attempts {
  const failures: { order: number; error: unknown }[] = []
  let count = 0
  let hasEnded = false
  async function note(name: string, error: unknown, order: number): Promise<void> {
    const isBack = !alone && !hasEnded && mayAnswer(error) && (await serverAnswers(server))
    server.signal.throwIfAborted()
    // After a failure that ends everything, the failures that it causes are not reported.
    hasEnded ||= endsAll(error) && !isBack
    if (alone || hasEnded) throw error
    const explained = explainError(error, server.url)
    printError(`${visible(name)}: ${explained instanceof Error ? explained.message : String(explained)}`)
    failures.push({ order, error })
  }
  return {
    async run(name, work, order = count) {
      count += 1
      try {
        await work()
      } catch (error) {
        await note(name, error, order)
      }
    },
    async fail(name, error, order = count) {
      count += 1
      await note(name, error, order)
    },
    finish() {
      const [first] = failures.toSorted((one, other) => one.order - other.order)
      if (first === undefined) return
      throw new CommandError(exitOf(first.error), `${failures.length} of ${countOf(count, 'item')} failed`)
    },
  }
}
