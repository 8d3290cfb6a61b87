/** The time of a start, and the memory at rest after it. */
import { readBytes } from '../client.ts'
import { interleave } from '../measure.ts'
import { readSettledMemory } from '../memory-of.ts'
import type { Row } from '../table.ts'
import type { Contestant } from './contestant.ts'
import { rowsOf } from './rows.ts'

/** Starts each in turns, all others being stopped, until it has sent a small file. */
export async function measureStarts(contestants: readonly Contestant[], rounds: number): Promise<Row[]> {
  const memory = contestants.map((): number[] => [])
  const samplers = contestants.map(({ start, headers, smallFiles }, index) => async () => {
    const began = performance.now()
    const server = await start()
    try {
      await readBytes({ url: server.url, headers }, smallFiles[0] ?? '')
      const passed = performance.now() - began
      memory[index]?.push(await readSettledMemory(server.pid))
      return passed
    } finally {
      await server.stop()
    }
  })
  const times = await interleave(rounds, samplers)
  const subjectsOf = (samples: readonly number[][]) =>
    contestants.map((contestant, index) => ({ contestant, samples: samples[index] ?? [] }))
  return [
    ...rowsOf('start to first answer', 'ms', subjectsOf(times)),
    ...rowsOf('memory at rest', 'MB', subjectsOf(memory)),
  ]
}
