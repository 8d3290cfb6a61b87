/** A folder that is moved to another space while somebody works in it: nothing of their work is left behind. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyFile, createFolder, favoriteFile, listFiles, moveFile, renameFile } from '../../src/api/files.ts'
import type { Space } from '../../src/api/spaces.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { plantTree } from '../bench/plant.ts'
import { signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { countItems, expectTrueCounters, plant, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
let editor: BuiltUser
let team: Space
beforeAll(async () => {
  server = await startServer()
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  owner = await buildUser(server)
  editor = await buildUser(server)
  team = await buildTeam(admin, owner)
})
afterAll(() => server.close())

const countInTeam = async (): Promise<number> =>
  (await server.deps.db.rows('SELECT id FROM files WHERE space_id = $1', [team.id])).length

/** A folder of the owner with a file in it, which the editor may change, and much else. */
async function buildSource() {
  const id = await plant(server, owner, (db, place) =>
    plantTree(db, place, `source ${randomBytes(4).toString('hex')}`, 2000),
  )
  const file = await buildFile(owner, { name: 'a.txt', parent_id: id }, 'before')
  const second = await buildFile(owner, { name: 'b.txt', parent_id: id }, 'second')
  const other = await buildFolder(owner)
  for (const shared of [{ id }, other]) await buildShare(owner, shared, editor, 'edit')
  const { folders } = await owner.call(listFiles, { parent_id: id })
  return { id, file, second, other: other.id, folder: Number(folders[0]?.id), tag: (await buildTag(owner)).id }
}

/** Starts a move to the team folder, and waits until the first slice has been copied. */
async function beginMove(id: number) {
  const before = await countInTeam()
  const outcome = Promise.allSettled([owner.call(moveFile, { id, parent_id: team.folder_id })])
  await until(async () => (await countInTeam()) > before + 100)
  return { before, finish: () => outcome.then(([settled]) => settled) }
}

type Source = Awaited<ReturnType<typeof buildSource>>

const acts: [string, (source: Source) => Promise<unknown>][] = [
  [
    'a file in it gets other content',
    ({ file, id }) => editor.upload('after', { name: file.name, parent_id: id, on_conflict: 'replace' }),
  ],
  ['something is added to it', ({ folder }) => buildFile(editor, { parent_id: folder }, 'new')],
  ['something in it is renamed', ({ folder }) => editor.call(renameFile, { id: folder, name: 'Renamed' })],
  ['something in it is thrown away', ({ file }) => editor.call(trashFile, { id: file.id })],
  ['something in it is moved', ({ file, folder }) => editor.call(moveFile, { id: file.id, parent_id: folder })],
  ['something leaves it', ({ file, other }) => editor.call(moveFile, { id: file.id, parent_id: other })],
  [
    'who moves it tags files in it',
    ({ file, second, tag }) => owner.call(tagFiles, { tag_id: tag, file_ids: [file.id, second.id] }),
  ],
]

describe('a move to another space gets 409 and changes nothing when meanwhile', () => {
  test.each(acts)('%s', async (_what, act) => {
    const source = await buildSource()
    const { before, finish } = await beginMove(source.id)
    await act(source)

    expect(await finish()).toMatchObject({ status: 'rejected', reason: { status: 409, code: 'in_use' } })
    expect(await countInTeam()).toBe(before)
    expect(await owner.call(listFiles, { parent_id: source.id })).toMatchObject({ folder: { id: source.id } })
    await expectTrueCounters(server, owner)
  })
})

test('a move to another space goes on while something else changes in the space, and others read and mark its files', async () => {
  const source = await buildSource()
  const { file } = source
  const tag = await buildTag(editor)
  const { finish } = await beginMove(source.id)
  await buildFile(owner, { parent_id: source.other })
  await (await editor.raw(`/api/files/${file.id}/download`)).arrayBuffer()
  await editor.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
  await owner.call(favoriteFile, { id: file.id, is_favorite: true })

  expect(await finish()).toMatchObject({ status: 'fulfilled' })
})

test('a copy of a folder takes what is changed in it meanwhile as it comes', async () => {
  const source = await buildSource()
  const before = await countItems(server, owner)
  const outcome = Promise.allSettled([owner.call(copyFile, { id: source.id, parent_id: null })])
  await until(async () => (await countItems(server, owner)) > before + 100)
  await owner.call(createFolder, { name: 'New', parent_id: source.id })

  expect((await outcome)[0]).toMatchObject({ status: 'fulfilled' })
})
