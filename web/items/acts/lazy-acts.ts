/** The entry point of acts on items: their code, a chunk of its own, loads when it is needed. */
import type { FileItem } from '../../../src/api/items.ts'
import { patiently } from '../../lib/server/lazy-part.ts'
import type { Problem } from '../actions/use-problem.ts'
import type { Act } from './perform.tsx'
import type { ActOutcome } from './slices.ts'

/** Loads the code. */
export const fetchActs = () => Promise.all([import('./item-acts.tsx'), import('./perform.tsx')])

type ItemActs = Awaited<ReturnType<typeof fetchActs>>[0]

/** Performs the act that `choose` picks. `tell` shows failures. */
export async function act(
  choose: (acts: ItemActs) => Act,
  tell: (problem: Problem) => void,
): Promise<ActOutcome<FileItem> | undefined> {
  const parts = await patiently(fetchActs)().catch(() => null)
  if (parts !== null) return parts[1].perform(choose(parts[0]), tell)
  tell({ title: 'This did not work', reason: 'A part of the page could not be loaded. Reload the page and try again.' })
}
