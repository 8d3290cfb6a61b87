/** `filestore fsck --repair` gives nobody an item whose storage or folder is another than it was. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { expectTrueCounters } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser
let annSpace: number
let benSpace: number
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  annSpace = await spaceOf(ann)
  benSpace = await spaceOf(ben)
})
afterEach(() => server.close())

const spaceOf = async (user: BuiltUser): Promise<number> => {
  const sql = "SELECT id FROM spaces WHERE owner_id = $1 AND kind = 'personal'"
  return (await server.deps.db.row<{ id: number }>(sql, [user.id]))?.id ?? 0
}

/** Ann's folders, one in the other, each with a file; and Ben's folder. */
async function fill() {
  const outer = await buildFolder(ann, 'Docs')
  const inner = await buildFolder(ann, 'Sub', outer.id)
  const file = await buildFile(ann, { name: 'private.txt', parent_id: outer.id }, 'secret of ann')
  const deep = await buildFile(ann, { name: 'deep.txt', parent_id: inner.id }, 'deeper secret of ann')
  const foreign = await buildFolder(ben, 'of ben')
  return { outer, inner, file, deep, foreign }
}

const mayRead = async (user: BuiltUser, { id }: { id: number }): Promise<boolean> =>
  (await user.raw(`/api/files/${id}/download`)).status === 200

const placesOf = () => server.deps.db.rows('SELECT id, space_id, parent_id, owner_id, name FROM files ORDER BY id')
const setSpace = ({ id }: { id: number }, spaceId: number) =>
  spoilRows(server, `UPDATE files SET space_id = ${spaceId} WHERE id = ${id}`)
const setFolder = ({ id }: { id: number }, folder: { id: number }) =>
  spoilRows(server, `UPDATE files SET parent_id = ${folder.id} WHERE id = ${id}`)

async function expectMended(): Promise<void> {
  const { code, findings } = await runFsck(server, '--repair')
  expect([code, findings.filter(({ problem }) => problem === 'parent-in-another-space')]).toMatchObject([
    0,
    [{ repaired: true }],
  ])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

describe('an item with the number of another storage', () => {
  test.each(['file', 'inner', 'outer'] as const)('goes back to the storage of its %s', async what => {
    const made = await fill()
    const before = await placesOf()
    await setSpace(made[what], benSpace)
    await expectMended()
    expect(await placesOf()).toEqual(before)
    expect([await mayRead(ann, made.file), await mayRead(ben, made.file)]).toEqual([true, false])
    await expectTrueCounters(server, ann)
    await expectTrueCounters(server, ben)
  })

  test('goes back to its place in the trash', async () => {
    const { outer, file, inner } = await fill()
    await ann.call(trashFile, { id: file.id })
    await setSpace(file, benSpace)
    await expectMended()
    await ann.call(trashFile, { id: outer.id })
    const before = await placesOf()
    await setSpace(inner, benSpace)
    await expectMended()
    expect(await placesOf()).toEqual(before)
  })

  test('goes back with others', async () => {
    const { file, deep } = await fill()
    const before = await placesOf()
    await setSpace(file, benSpace)
    await setSpace(deep, benSpace)
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    expect(await placesOf()).toEqual(before)
  })

  test('keeps its shares and links', async () => {
    const { file, inner } = await fill()
    await buildShare(ann, file, ben, 'view')
    const { id } = await buildLink(ann, inner)
    await setSpace(file, benSpace)
    await setSpace(inner, benSpace)
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    expect(await mayRead(ben, file)).toBe(true)
    expect(await server.deps.db.rows('SELECT id, space_id, is_active FROM links')).toEqual([
      { id, space_id: annSpace, is_active: 1 },
    ])
  })

  test('goes back under a free name if its own one is taken meanwhile', async () => {
    const { file, outer } = await fill()
    await setSpace(file, benSpace)
    await buildFile(ann, { name: 'private.txt', parent_id: outer.id }, 'newer')
    await expectMended()
    expect((await ann.call(getFile, { id: file.id })).file).toMatchObject({ name: 'private (1).txt' })
  })

  test('is lost and stays where it is if the sums tell nothing, also in later runs', async () => {
    const { file } = await fill()
    await setSpace(file, benSpace)
    await spoilRows(server, `UPDATE spaces SET item_count = item_count + 7 WHERE id IN (${annSpace}, ${benSpace})`)
    const before = await placesOf()
    for (const _ of [1, 2]) {
      const { code, findings } = await runFsck(server, '--repair')
      expect(code).toBe(11)
      expect(findings).toContainEqual(
        expect.objectContaining({ problem: 'parent-in-another-space', verdict: 'lost', file_id: file.id }),
      )
      expect(await placesOf()).toEqual(before)
    }
  })

  test('that is a folder at the top goes back to its owner where the sums tell nothing', async () => {
    const { outer } = await fill()
    const before = await placesOf()
    await setSpace(outer, benSpace)
    await spoilRows(server, `UPDATE spaces SET item_count = item_count + 7 WHERE id IN (${annSpace}, ${benSpace})`)
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    expect(await placesOf()).toEqual(before)
  })

  test('keeps its share and its link if nobody can tell whose it is, and no folder there changes its owner', async () => {
    const { file, foreign } = await fill()
    await buildShare(ann, file, ben, 'view')
    await setSpace(file, benSpace)
    await spoilRows(
      server,
      `UPDATE spaces SET item_count = item_count + 7 WHERE id IN (${annSpace}, ${benSpace})`,
      `UPDATE files SET owner_id = ${ann.id} WHERE id = ${foreign.id}`,
      // Contradicts the share.
      `INSERT INTO links (item_id, space_id, created_by, level, created_at, token_hash, token_sealed) VALUES
         (${file.id}, ${benSpace}, ${ann.id}, 'view', 1, '${'0'.repeat(64)}', '')`,
    )
    const rows = async () => [
      await placesOf(),
      await server.deps.db.rows('SELECT space_id, level, expires_at FROM shares'),
      await server.deps.db.rows('SELECT space_id FROM links'),
    ]
    const before = await rows()
    expect((await runFsck(server, '--repair')).code).toBe(11)
    expect(await rows()).toEqual(before)
  })

  test('is lost if another item makes up for it in the sums', async () => {
    const { file, foreign } = await fill()
    const other = await buildFile(ben, { name: 'of ben.txt', parent_id: foreign.id }, 'secret of ben')
    await setSpace(file, benSpace)
    await setSpace(other, annSpace)
    const before = await placesOf()
    expect((await runFsck(server, '--repair')).code).toBe(11)
    expect(await placesOf()).toEqual(before)
  })

  test('is told by the storage of what is in it where the sums tell nothing', async () => {
    const { inner } = await fill()
    const before = await placesOf()
    await setSpace(inner, benSpace)
    await spoilRows(server, `UPDATE spaces SET item_count = item_count + 7 WHERE id IN (${annSpace}, ${benSpace})`)
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    expect(await placesOf()).toEqual(before)
  })
})

test('an item whose storage does not exist goes back to that of its folder', async context => {
  onlyOn('sqlite', context)
  const { file, inner } = await fill()
  const before = await placesOf()
  for (const item of [file, inner]) {
    await setSpace(item, 99)
    await expectMended()
    expect(await placesOf()).toEqual(before)
  }
})

test('an empty folder in which an item of another storage comes to be stays that of its owner', async () => {
  const { file, foreign } = await fill()
  await setFolder(file, foreign)
  await expectMended()
  const { files, folders } = await ann.call(listFiles, {})
  expect([...files, ...folders].map(({ name }) => name).sort()).toEqual(['Docs', 'private.txt'])
  expect(await mayRead(ben, file)).toBe(false)
})

test('an item that names a folder of another storage comes to the top of its own', async () => {
  const { file, inner, foreign } = await fill()
  await setFolder(file, foreign)
  await setFolder(inner, foreign)
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  const { files, folders } = await ann.call(listFiles, {})
  expect([...files, ...folders].map(({ name }) => name).sort()).toEqual(['Docs', 'Sub', 'private.txt'])
  expect(await mayRead(ben, file)).toBe(false)
})

describe('a team folder', () => {
  const team = async () => buildTeam(await signIn(server.url, server.adminName, server.adminPassword), ben, 'Team')

  test('gets nothing of a user whose folder has the number of its storage, and keeps its managers', async () => {
    const { inner, deep } = await fill()
    const { id } = await buildLink(ann, inner)
    const space = await team()
    const [before, spaces] = [await placesOf(), await ben.call(listSpaces, {})]
    await setSpace(inner, space.id)
    await expectMended()
    expect(await placesOf()).toEqual(before)
    expect(await ben.call(listSpaces, {})).toEqual(spaces)
    expect(await mayRead(ben, deep)).toBe(false)
    expect(await server.deps.db.rows('SELECT id, is_active FROM links')).toEqual([{ id, is_active: 1 }])
  })

  test('takes nothing that came to its top with the number of its storage, also in later runs', async () => {
    const file = await buildFile(ann, { name: 'top.txt' }, 'secret of ann')
    const space = await team()
    await setSpace(file, space.id)
    await spoilRows(server, `UPDATE spaces SET item_count = item_count + 7 WHERE id = ${annSpace}`)
    const placed = await placesOf()
    for (let run = 0; run < 2; run++) {
      const { code, findings } = await runFsck(server, '--repair')
      expect(code).toBe(11)
      expect(findings).toContainEqual(expect.objectContaining({ problem: 'team-root', verdict: 'lost' }))
    }
    expect(await placesOf()).toEqual(placed)
    expect(await mayRead(ben, file)).toBe(false)
  })

  test('stays the one that its managers manage, whichever folder at its top is older', async () => {
    const older = await buildFolder(ben, 'older')
    const space = await team()
    const inside = await buildFolder(ben, 'younger', space.folder_id)
    await spoilRows(
      server,
      `UPDATE files SET parent_id = NULL WHERE id = ${inside.id}`,
      `UPDATE files SET id = 7000 WHERE id = ${older.id}`,
      `UPDATE files SET id = ${older.id} WHERE id = ${inside.id}`,
    )
    await runFsck(server, '--repair')
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    expect((await ben.call(listSpaces, {})).spaces).toMatchObject([{ folder_id: space.folder_id, name: 'Team' }])
    const parent = 'SELECT parent_id FROM files WHERE id = $1'
    expect(await server.deps.db.row(parent, [older.id])).toEqual({ parent_id: space.folder_id })
  })

  test('that a link of another storage points at pauses the link first, and says what is left to do', async () => {
    const file = await buildFile(ann, { name: 'public.txt' })
    const { id } = await buildLink(ann, file)
    const { folder_id } = await team()
    await spoilRows(server, `UPDATE links SET item_id = ${folder_id}`)
    const { code, findings } = await runFsck(server, '--repair')
    expect(code).toBe(10)
    expect(findings).toMatchObject([
      { problem: 'link-space', repaired: true },
      { problem: 'link-on-team-folder', verdict: 'repairable', repaired: false },
    ])
    expect(await server.deps.db.rows('SELECT id, is_active FROM links')).toEqual([{ id, is_active: 0 }])
  })

  test('takes what has lost its folder, in one run', async () => {
    const space = await team()
    const file = await buildFile(ben, { name: 'plan.txt', parent_id: space.folder_id })
    await setFolder(file, { id: 99_999 })
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    expect((await ben.call(getFile, { id: file.id })).file).toMatchObject({ parent_id: space.folder_id })
  })
})
