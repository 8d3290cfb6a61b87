/**
 * Search by a part of the name: a table of queries and their hits, and random queries compared with a simple reference.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { moveFile, renameFile } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { searchFiles } from '../../src/api/search.ts'
import { isSearchable } from '../../src/api/search-text.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { fold } from '../../src/db/fold.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { rounds, seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const namesOf = (files: readonly FileItem[]): string[] => files.map(({ name }) => name).sort()
const find = async (user: BuiltUser, q: string): Promise<string[]> =>
  namesOf((await user.call(searchFiles, { q })).files)

/** One character that folds to 18 letters: 75 of them make 1,350 letters to search in. */
const phrases = `${'\ufdfa'.repeat(75)} last.txt`

const names = [
  'Annual Report.pdf',
  'ANNUAL report (1).pdf',
  'İstanbul.txt',
  'Straße nach Süden.txt',
  'Ποσειδών ΟΔΥΣΣΕΥΣ.txt',
  '会議資料.pdf',
  'さくら.txt',
  '벚꽃.txt',
  'ok',
  'party 🎉🎊🎈.jpg',
  'cafe\u0301.md',
  '100% sure.txt',
  '100 percent.txt',
  'snake_case_name.ts',
  'snakeXcaseXname.ts',
  `it's "quoted".txt`,
  'back\\slash.txt',
  'this AND that NOT those OR NEAR(x).txt',
  'star*star.txt',
  'column : name ^ {a} + b.txt',
  '\ufffdreplacement.bin',
  '\ufffeodd.bin',
  'हिन्दी.txt',
  'Ärger ÖL ÄÖÜ.txt',
  'Отчёт за ГОД.docx',
  'Diyarbakır.jpg',
  phrases,
]

/** The query, and the names that it finds. */
const queries: [q: string, hits: string[]][] = [
  ['report', ['Annual Report.pdf', 'ANNUAL report (1).pdf']],
  ['  NUAL rep  ', ['Annual Report.pdf', 'ANNUAL report (1).pdf']],
  ['istanbul', ['İstanbul.txt']],
  ['İSTAN', ['İstanbul.txt']],
  ['STRASSE', ['Straße nach Süden.txt']],
  ['suden', ['Straße nach Süden.txt']],
  ['ΠΟΣΕΙΔΏΝ', ['Ποσειδών ΟΔΥΣΣΕΥΣ.txt']],
  ['οδυσσευς', ['Ποσειδών ΟΔΥΣΣΕΥΣ.txt']],
  ['会議資', ['会議資料.pdf']],
  // One character is a word in these scripts; elsewhere two are enough, at the end of a name as well.
  ['料', ['会議資料.pdf']],
  ['さ', ['さくら.txt']],
  ['サ', []],
  ['벚', ['벚꽃.txt']],
  ['ΟΔ', ['Ποσειδών ΟΔΥΣΣΕΥΣ.txt']],
  ['ТЧ', ['Отчёт за ГОД.docx']],
  ['cx', ['Отчёт за ГОД.docx']],
  ['ok', ['ok']],
  ['zq', []],
  ['0%', ['100% sure.txt']],
  ['🎊🎈.', ['party 🎉🎊🎈.jpg']],
  ['café', ['cafe\u0301.md'.normalize('NFC')]],
  ['cafe.', ['cafe\u0301.md'.normalize('NFC')]],
  ['00%', ['100% sure.txt']],
  ['100', ['100 percent.txt', '100% sure.txt']],
  ['e_c', ['snake_case_name.ts']],
  [`t's "q`, [`it's "quoted".txt`]],
  ['k\\s', ['back\\slash.txt']],
  ['AND that NOT', ['this AND that NOT those OR NEAR(x).txt']],
  ['near(x)', ['this AND that NOT those OR NEAR(x).txt']],
  ['report*', []],
  ['r*st', ['star*star.txt']],
  ['n : name ^ {', ['column : name ^ {a} + b.txt']],
  ['name_folded : "', []],
  ['\ufffdre', ['\ufffdreplacement.bin']],
  ['\ufffdod', []],
  ['\ufffeod', ['\ufffeodd.bin']],
  ['िन्दी', ['हिन्दी.txt']],
  ['äöü', ['Ärger ÖL ÄÖÜ.txt']],
  ['ARGER OL', ['Ärger ÖL ÄÖÜ.txt']],
  ['ОТЧЁТ', ['Отчёт за ГОД.docx']],
  ['отчет за год', ['Отчёт за ГОД.docx']],
  ['DİYARBAKı', ['Diyarbakır.jpg']],
  // A dotless i is a letter of its own, not an i without its dot.
  ['diyarbakir', []],
  ['\ufdfa'.repeat(3), [phrases]],
  ['عليه', [phrases]],
  ['وسلم last', [phrases]],
  ['last', [phrases]],
  ['\\\\\\', []],
  ['%%%', []],
  ['___', []],
  ['\u200bГО', ['Отчёт за ГОД.docx']],
  // Three characters of which folding leaves one, or none: the shortest query, and an empty one.
  ['\u200bé\u200b', names.filter(name => fold(name).includes('e')).map(name => name.normalize('NFC'))],
  ['\u200b\u200b\u200b', []],
  ['rep\u0000ort', []],
  ['no such name', []],
  ['x'.repeat(1000), []],
]

describe('a search', () => {
  let user: BuiltUser
  /** Sees the same files in a folder that is shared, which is searched in another way than the own tree. */
  let guest: BuiltUser
  beforeAll(async () => {
    user = await buildUser(server)
    guest = await buildUser(server)
    const stranger = await buildUser(server)
    const folder = await buildFolder(user, '=')
    await buildShare(user, folder, guest, 'view')
    for (const name of names) {
      await buildFile(user, { name, parent_id: folder.id })
      await buildFile(stranger, { name: `foreign ${name}` })
    }
  })

  test.each(queries)('for %j finds the names that contain it', async (q, hits) => {
    for (const finder of [user, guest]) expect(await find(finder, q)).toEqual([...hits].sort())
  })

  test('finds what a simple reference finds', async () => {
    const piece = fc.constantFrom(
      ...[...'aAeÉßSsİiσςΣ会🎉%_"\'\\*^:-+(){}'],
      'e\u0301',
      ' NEAR ',
      ' AND ',
      ' OR ',
      ' NOT ',
    )
    const text = (minLength: number, maxLength: number) =>
      fc.array(piece, { minLength, maxLength }).map(pieces => pieces.join('').normalize('NFC'))
    const [target] = (await user.call(searchFiles, { q: 'annual report.pdf' })).files
    if (target === undefined) throw new Error('the file to rename is not there')
    // Half of the queries are a part of the name, or nearly one.
    const queryOf = (made: string) =>
      fc.oneof(
        text(1, 5),
        fc.nat([...made].length - 2).map(start =>
          [...made]
            .slice(start, start + 2 + (start % 3))
            .join('')
            .toUpperCase(),
        ),
      )
    const named = text(3, 12).chain(made => fc.tuple(fc.constant(made), queryOf(made)))
    const property = fc.asyncProperty(named, async ([made, q]) => {
      const { file } = await user.call(renameFile, { id: target.id, name: `${made}.` })
      const wanted = fold(q.trim())
      const expected = [...names.slice(1), file.name].map(name => name.normalize('NFC'))
      const hits = expected.filter(name => fold(name).includes(wanted)).sort()
      if (!isSearchable(q)) return
      for (const finder of [user, guest]) expect({ q, names: await find(finder, q) }).toEqual({ q, names: hits })
    })
    await fc.assert(property, { seed, numRuns: rounds(60, 300) })
    await user.call(renameFile, { id: target.id, name: target.name })
  })

  test('finds an item by its current name after a rename, move, trash and restore', async () => {
    const folder = await buildFolder(user, 'Zanzibar')
    const { id } = await buildFile(user, { name: 'quagga.txt' })
    await user.call(renameFile, { id, name: 'okapi.txt' })
    expect(await find(user, 'quagga')).toEqual([])
    expect(await find(user, 'okapi')).toEqual(['okapi.txt'])
    await user.call(moveFile, { id, parent_id: folder.id })
    const [moved] = (await user.call(searchFiles, { q: 'okapi' })).files
    expect(moved).toMatchObject({ id, path: '/Zanzibar/okapi.txt' })
    await user.call(trashFile, { id: folder.id })
    expect(await find(user, 'okapi')).toEqual([])
    expect(await find(user, 'zanzibar')).toEqual([])
    await user.call(restoreFile, { id: folder.id })
    expect(await find(user, 'okapi')).toEqual(['okapi.txt'])
    expect(await find(user, 'zanzibar')).toEqual(['Zanzibar'])
  })
})

describe('the text of a search', () => {
  test.each(['', 'q=', 'q=a', 'q=%20%20a%20', 'q=e%CC%81', `q=${'x'.repeat(1001)}`, 'q=abc&q=def'])(
    'is refused: %s',
    async query => {
      const user = await buildUser(server)
      expect(await failure(await user.raw(`/api/files/search?${query}`))).toEqual({
        status: 400,
        error: 'invalid_input',
        fields: { q: expect.any(String) },
      })
    },
  )
})
