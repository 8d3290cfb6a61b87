/** Runs commands that put each of several items into a target, which is the last path. */
import type { Call } from '../src/api/client.ts'
import type { FileDetails, ItemAnswer } from '../src/api/items.ts'
import { CommandError } from '../terminal/exit.ts'
import { type EachOptions, runEach } from './each.ts'
import { formatPaths } from './item-cells.ts'
import { findRemoteItem, findTarget, type Target } from './remote-path.ts'
import { type ProfileOption, runSignedIn } from './signed-in.ts'

export type EachToOptions = ProfileOption & EachOptions

/**
 * Runs `act` for all paths but the last. `head` is the heading of the new paths in the table. Throws `usage` for a
 * single path.
 */
export async function runEachTo(
  paths: readonly string[],
  options: EachToOptions,
  head: string,
  act: (call: Call, item: FileDetails, target: Target) => Promise<ItemAnswer>,
): Promise<void> {
  const sources = paths.slice(0, -1)
  const to = paths.at(-1)
  if (to === undefined || sources.length === 0) {
    throw new CommandError('usage', 'Give at least two paths: the items, and last their target')
  }
  await runSignedIn(options, async ({ server, call }) => {
    const target = await findTarget(call, to, sources.length > 1)
    await runEach(server, sources, options, formatPaths(head), async text => {
      const item = await findRemoteItem(call, text)
      return (await act(call, item, target)).file
    })
  })
}
