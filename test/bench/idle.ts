/** The memory of a server that has nothing to do. */
import { summarize } from './measure.ts'
import { readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

/** At rest after a sign-in and a listing, each time in a new process. */
export async function measureIdle(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const samples = await withPlace(measuring, async place => {
    const settled: number[] = []
    for (let round = 0; round < (isQuick ? 1 : 5); round++) {
      settled.push(await withProduct(place, (_client, { pid }) => readSettledMemory(pid)))
    }
    return settled
  })
  return [
    {
      name: 'memory at rest',
      unit: 'MB',
      value: summarize(samples),
      bound: { of: 'max', side: 'at most', limit: 130 },
    },
  ]
}
