/** Random damage to SQLite's file: `filestore fsck` ends with a verdict, and other commands with an error message. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onlyOn } from '../support/only-on.ts'
import { rounds, seed } from '../support/rounds.ts'
import {
  buildWhole,
  expectSentence,
  expectVerdict,
  isUnchanged,
  sectorSize,
  type Whole,
  withDamaged,
} from './damaged-pages.ts'

let whole: Whole
beforeAll(async () => {
  whole = await buildWhole()
})
afterAll(() => whole.remove())

/** Random integers below a limit, the same for the same seed (mulberry32). */
function openChances(start: number): (limit: number) => number {
  let state = start
  return limit => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Damages as disks do: a sector is zeroed or holds another sector, or a byte has changed. */
function damage(bytes: Buffer, chance: (limit: number) => number): { what: string; isZeroed: boolean } {
  const sectors = bytes.length / sectorSize
  const at = chance(sectors) * sectorSize
  const kind = chance(4)
  if (kind < 2) bytes.fill(0, at, at + sectorSize)
  else if (kind === 2) bytes.copy(bytes, at, chance(sectors) * sectorSize, at + sectorSize)
  else bytes[at + chance(sectorSize)] = chance(256)
  return { what: `${['zeroes', 'zeroes', 'copied sector', 'byte'][kind]} at ${at}`, isZeroed: kind < 2 }
}

const count = rounds(3, 60)

test.for(Array.from({ length: count }, (_, round) => round))(
  'damage %i is reported by fsck, and every command ends',
  { timeout: 120_000 },
  async (round, context) => {
    onlyOn('sqlite', context)
    const bytes = Buffer.from(whole.bytes)
    const { what, isZeroed } = damage(bytes, openChances(seed * 1000 + round))
    try {
      await withDamaged(whole, bytes, async site => {
        await expectVerdict(site)
        const { verdict } = await expectVerdict(site, '--hash')
        // A changed value that is valid too cannot be recognised.
        if (verdict === 'ok' && isZeroed) expect(await isUnchanged(whole, bytes)).toBe(true)
        await expectSentence(site, 'migrate', 'status')
        await expectSentence(site, 'export', join(site.dataDir, 'out'))
        await expectSentence(site, 'backup', join(site.dataDir, 'backup'))
        await rm(join(site.dataDir, 'out'), { recursive: true, force: true })
        await expectVerdict(site, '--repair', '--hash', '--orphans')
        await expectVerdict(site, '--hash')
      })
    } catch (error) {
      throw new Error(what, { cause: error })
    }
  },
)
