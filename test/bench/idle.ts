/** The memory of an idle server. */
import { withBareServer } from './bare.ts'
import { readBytes } from './client.ts'
import { interleave, summarize } from './measure.ts'
import { readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { binary, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const readBareMemory = (): Promise<number> =>
  withBareServer(async ({ url, pid }) => {
    await readBytes({ url, headers: {} }, `/?file=${encodeURIComponent(binary)}`)
    return readSettledMemory(pid)
  })

/** Measures a new process each time, at rest after a sign-in and a listing. */
export async function measureIdle(measuring: Measuring): Promise<Row[]> {
  const [settled, bare] = await withPlace(measuring, place =>
    interleave(measuring.isQuick ? 1 : 5, [
      () => withProduct(place, (_client, { pid }) => readSettledMemory(pid)),
      readBareMemory,
    ]),
  )
  return [
    {
      name: 'memory at rest',
      unit: 'MB',
      value: summarize(settled),
      reference: { name: 'bare server', figures: summarize(bare) },
      bound: { of: 'max', side: 'at most', limit: 84 },
    },
  ]
}
