/**
 * The number that a taken name gets: the smallest free one up to 1,000, found with few queries even among many taken
 * names.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { copyFile, getFile } from '../../src/api/files.ts'
import { maxNameBytes } from '../../src/api/limits.ts'
import { splitName, utf8Length } from '../../src/api/names.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { pickFreeName } from '../../src/files/free-name.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { rounds, seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

/** The longest prefix of whole characters that fits into so many bytes. */
function plainCut(text: string, bytes: number): string {
  const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  while (utf8Length(parts.join('')) > bytes) parts.pop()
  return parts.join('')
}

/** `stem (n).ext`, computed separately for each number. */
function plainNumbered(name: string, isDirectory: boolean, n: number): string {
  const { stem, extension } = splitName(name, isDirectory)
  const room = maxNameBytes - utf8Length(` (${n})${extension}`)
  return room > 0
    ? `${plainCut(stem, room)} (${n})${extension}`
    : `${plainCut(name, maxNameBytes - utf8Length(` (${n})`))} (${n})`
}

function plainPick(name: string, isDirectory: boolean, taken: ReadonlySet<string>): string {
  let n = 1
  while (taken.has(plainNumbered(name, isDirectory, n))) n++
  return plainNumbered(name, isDirectory, n)
}

const characters = fc.constantFrom('a', '1', ' ', '(', ')', '.', '"', 'é', '日', '👍🏽', 'e\u0301\u0301\u0301')
const names = fc
  .tuple(fc.array(characters, { maxLength: 4 }), fc.nat(80), fc.array(characters, { maxLength: 5 }), fc.nat(60))
  .map(([stem, times, end, endTimes]) =>
    plainCut(`x${stem.join('').repeat(times)}${end.join('').repeat(endTimes)}`, 255),
  )

describe('a free name', () => {
  const pick = (name: string, isDirectory: boolean, taken: ReadonlySet<string>) =>
    pickFreeName(name, isDirectory, async wanted => new Set(wanted.filter(one => taken.has(one))))

  test('is the one that a test of every number finds', async () => {
    const cases = fc.record({
      name: names,
      isDirectory: fc.boolean(),
      run: fc.integer({ min: 0, max: 105 }),
      others: fc.array(fc.integer({ min: 1, max: 1200 }), { maxLength: 5 }),
      gap: fc.integer({ min: 1, max: 105 }),
      odd: fc.array(fc.constantFrom(' (01)', ' (0)', ' (1', ' (1) ', ' (+1)', '(1)', ' (1)(1)', ' (１)'), {
        maxLength: 3,
      }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ name, isDirectory, run, others, gap, odd }) => {
        const numbers = [...Array.from({ length: run }, (_, index) => index + 1), ...others].filter(n => n !== gap)
        const taken = new Set(numbers.map(n => plainNumbered(name, isDirectory, n)))
        for (const end of odd) taken.add(`${name}${end}`)
        expect(await pick(name, isDirectory, taken)).toBe(plainPick(name, isDirectory, taken))
      }),
      { seed, numRuns: rounds(100, 1000) },
    )
  })

  test('beyond 1,000 follows a taken number, and is the smallest when there are no gaps', async () => {
    const runs = fc.array(fc.tuple(fc.integer({ min: 1000, max: 9_000 }), fc.nat(3000)), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1000, max: 9000 }), runs, async (end, others) => {
        const numbers = new Set(Array.from({ length: end }, (_, index) => index + 1))
        for (const [first, length] of others) for (let n = first; n < first + length; n++) numbers.add(n)
        const taken = new Set([...numbers].map(n => `a (${n}).txt`))
        const n = Number(/\d+/.exec(await pick('a.txt', false, taken))?.[0])
        expect([numbers.has(n), numbers.has(n - 1)]).toEqual([false, true])
        if (others.length === 0) expect(n).toBe(end + 1)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a folder with thousands of numbered names', () => {
  const count = 5000
  const name = `${'x'.repeat(250)}.txt`
  let server: TestServer
  let user: BuiltUser
  beforeAll(async () => {
    server = await startServer()
    user = await buildUser(server)
  })
  afterAll(() => server.close())

  test('shortens a long name a few times, not once for each taken name', async context => {
    onlyOneServer('process', context)
    const folder = await buildFolder(user)
    const nameOf = (index: number) => (index === 0 ? name : plainNumbered(name, false, index))
    await plant(server, user, (db, owner) => plantEntries(db, owner, folder.id, count, nameOf))
    const cuts = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    onTestFinished(() => cuts.mockRestore())
    const file = await buildFile(user, { name, parent_id: folder.id })
    expect(cuts.mock.calls.length).toBeLessThan(20)
    expect(file.name).toBe(`${'x'.repeat(244)} (5000).txt`)
  })

  test('has few of its names read by an upload, a copy and a restore', async context => {
    onlyOneServer('process', context)
    const folder = await buildFolder(user)
    await plant(server, user, (db, owner) =>
      plantEntries(db, owner, folder.id, 12_000, index => (index === 0 ? 'a.txt' : `a (${index}).txt`)),
    )
    const read = vi.spyOn(server.deps.db, 'rows')
    onTestFinished(() => read.mockRestore())
    const inFolder = { name: 'a.txt', parent_id: folder.id }
    const file = await buildFile(user, inFolder)
    const { file: copy } = await user.call(copyFile, { id: file.id, ...inFolder })
    await user.call(trashFile, { id: file.id })
    await buildFile(user, { ...inFolder, name: file.name })
    await user.call(restoreFile, { id: file.id })
    const { file: restored } = await user.call(getFile, { id: file.id })
    expect([file, copy, restored].map(({ name }) => name)).toEqual([
      'a (12000).txt',
      'a (12001).txt',
      'a (12000) (1).txt',
    ])
    const lists = await Promise.all(read.mock.results.map(({ value }) => value as Promise<object[]>))
    expect(Math.max(...lists.map(list => list.length))).toBeLessThan(1000)
    expect(lists.reduce((sum, list) => sum + list.length, 0)).toBeLessThan(4000)
  })
})
