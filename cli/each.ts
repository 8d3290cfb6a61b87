/** Runs one act on each of several things: all are tried and the results printed, then the first failure counts. */

import { printData, printJson } from '../terminal/output.ts'
import { startAttempts } from './attempts.ts'
import type { Server } from './client.ts'

export interface EachOptions {
  json?: boolean
}

function printResults<Result>(
  results: readonly Result[],
  alone: boolean,
  options: EachOptions,
  format: (results: readonly Result[]) => string,
): void {
  if (results.length === 0 && (alone || !options.json)) return
  if (options.json) printJson(alone ? results[0] : results)
  else printData(format(results))
}

/**
 * Runs `act` for each name, one after the other. With `--json`, a single name prints its one result, several names a
 * list. `format` makes the table for people.
 */
export async function runEach<Result>(
  server: Server,
  names: readonly string[],
  options: EachOptions,
  format: (results: readonly Result[]) => string,
  act: (name: string) => Promise<Result>,
): Promise<void> {
  const alone = names.length === 1
  const attempts = startAttempts(server, alone)
  const results: Result[] = []
  try {
    for (const name of names) {
      await attempts.run(name, async () => {
        results.push(await act(name))
      })
    }
  } finally {
    printResults(results, alone, options, format)
  }
  attempts.finish()
}
