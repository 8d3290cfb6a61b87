/** Several items in one command: all are tried, and the first failure decides how the command ends. */
import type { Server } from './client.ts'
import { CommandError, exitOf } from './exit.ts'
import { explainError } from './explain.ts'
import { countOf } from './format.ts'
import { printError } from './output.ts'
import { visible } from './visible.ts'

export interface Attempts {
  /** Runs one item's work; a failure is printed and kept, unless it makes all further work pointless. */
  run(name: string, work: () => Promise<void>): Promise<void>
  /** Throws when anything failed. */
  finish(): void
}

/** After these nothing more can succeed. */
const endsAll = (error: unknown): boolean => ['interrupted', 'unreachable'].includes(exitOf(error))

/** Starts counting. With `alone` there is but one item, whose failure is the command's own. */
export function startAttempts(server: Server, alone: boolean): Attempts {
  const failures: unknown[] = []
  let count = 0
  return {
    async run(name, work) {
      count += 1
      try {
        await work()
      } catch (error) {
        server.signal.throwIfAborted()
        if (alone || endsAll(error)) throw error
        const explained = explainError(error, server.url)
        printError(`${visible(name)}: ${explained instanceof Error ? explained.message : String(explained)}`)
        failures.push(error)
      }
    },
    finish() {
      if (failures.length === 0) return
      throw new CommandError(exitOf(failures[0]), `${failures.length} of ${countOf(count, 'item')} failed`)
    },
  }
}
