/** Several items in one command: all are tried, and the first failure decides how the command ends. */

import { CommandError, exitOf } from '../terminal/exit.ts'
import { countOf } from '../terminal/format.ts'
import { printError } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import { type Server, serverAnswers } from './client.ts'
import { explainError } from './explain.ts'
import { UnreachableError } from './network.ts'

export interface Attempts {
  /**
   * Runs one item's work; a failure is printed and kept, unless it makes all further work pointless. `order` is the
   * item's place among all, where several are tried at once.
   */
  run(name: string, work: () => Promise<void>, order?: number): Promise<void>
  /** Notes the failure of an item whose work was done elsewhere; throws it where `run` would. */
  fail(name: string, error: unknown, order?: number): Promise<void>
  /** Throws when anything failed. */
  finish(): void
}

/** After these nothing more can succeed. */
const endsAll = (error: unknown): boolean => ['interrupted', 'unreachable'].includes(exitOf(error))

/** A server that cannot even be connected to has been asked already. */
const mayAnswer = (error: unknown): boolean =>
  exitOf(error) === 'unreachable' && !(error instanceof UnreachableError && !error.lost)

/** Starts counting. With `alone` there is but one item, whose failure is the command's own. */
export function startAttempts(server: Server, alone: boolean): Attempts {
  const failures: { order: number; error: unknown }[] = []
  let count = 0
  let hasEnded = false
  async function note(name: string, error: unknown, order: number): Promise<void> {
    const isBack = !alone && !hasEnded && mayAnswer(error) && (await serverAnswers(server))
    server.signal.throwIfAborted()
    // What the first one takes down with it has nothing more to say.
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
