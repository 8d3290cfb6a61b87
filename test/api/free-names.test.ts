/** The number that a taken name gets: the smallest free one, found without trying one after the other. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { maxNameBytes } from '../../src/api/limits.ts'
import { splitName, utf8Length } from '../../src/api/names.ts'
import { pickFreeName } from '../../src/files/item-name.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** The longest beginning of whole characters that fits. */
function plainCut(text: string, bytes: number): string {
  const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  while (utf8Length(parts.join('')) > bytes) parts.pop()
  return parts.join('')
}

/** `stem (n).ext`, made anew for each number. */
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
  test('is the one that trying every number finds', () => {
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
    fc.assert(
      fc.property(cases, ({ name, isDirectory, run, others, gap, odd }) => {
        const numbers = [...Array.from({ length: run }, (_, index) => index + 1), ...others].filter(n => n !== gap)
        const taken = new Set(numbers.map(n => plainNumbered(name, isDirectory, n)))
        for (const end of odd) taken.add(`${name}${end}`)
        expect(pickFreeName(name, isDirectory, taken)).toBe(plainPick(name, isDirectory, taken))
      }),
      { numRuns: 200 },
    )
  })
})

describe('beside thousands of its kind', () => {
  const count = 5000
  const name = `${'x'.repeat(250)}.txt`
  let server: TestServer
  let user: BuiltUser
  beforeAll(async () => {
    server = await startServer()
    user = await buildUser(server)
  })
  afterAll(() => server.close())

  test('a name is cut a few times, not once for each of them', async () => {
    const folder = await buildFolder(user)
    const nameOf = (index: number) => (index === 0 ? name : plainNumbered(name, false, index))
    await plant(server, user, (db, owner) => plantEntries(db, owner, folder.id, count, nameOf))
    const cuts = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    onTestFinished(() => cuts.mockRestore())
    const file = await buildFile(user, { name, parent_id: folder.id })
    expect(cuts.mock.calls.length).toBeLessThan(20)
    expect(file.name).toBe(`${'x'.repeat(244)} (5000).txt`)
  })
})
