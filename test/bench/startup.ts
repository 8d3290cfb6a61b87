/** How long the binary takes to be of use: as a server, and as a command. */
import { execa } from 'execa'
import { readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { binary, startProduct, withPlace } from './product.ts'
import type { Bound, Row } from './table.ts'

/** ms from the start of the process to the answer that it, its database and its store are ready. */
async function startOnce(place: Place): Promise<number> {
  const start = performance.now()
  const product = await startProduct(place)
  await readBytes({ url: product.url, headers: {} }, '/readyz')
  const passed = performance.now() - start
  await product.stop()
  return passed
}

const runNode = (...args: string[]): Promise<number> => timed(() => execa(process.execPath, args))

export async function measureStartup(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const [start, help, bare] = await withPlace(measuring, async place => {
    await changeRows(place, async (db, owner) => {
      await plantEntries(db, owner, await plantFolder(db, owner, null, 'Huge'), isQuick ? 1_000 : 100_000)
    })
    return interleave(isQuick ? 3 : 15, [
      () => startOnce(place),
      () => runNode(binary, '--help'),
      () => runNode('--eval', '0'),
    ])
  })
  const reference = { name: 'bare node', figures: summarize(bare) }
  const within = (limit: number): Bound => ({ of: 'median', side: 'at most', limit })
  return [
    { name: 'start to ready', unit: 'ms', value: summarize(start), reference, bound: within(1500) },
    { name: 'filestore --help', unit: 'ms', value: summarize(help), reference, bound: within(250) },
  ]
}
