/** A search below a folder that holds much of its space, which is searched like the whole space. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import { searchFiles } from '../../src/api/search.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTag, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
let member: BuiltUser
let tree: { id: number }
beforeAll(async () => {
  server = await startServer()
  ;[owner, member] = [await buildUser(server), await buildUser(server)]
  tree = { id: await plant(server, owner, (db, place) => plantTree(db, place, 'large', 20_000)) }
  await buildShare(owner, tree, member, 'view')
  const inner = await buildFolder(owner, 'needles', tree.id)
  await buildFile(owner, { name: 'needle below.txt', parent_id: inner.id })
  const trashed = await buildFile(owner, { name: 'needle in the trash.txt', parent_id: inner.id })
  await owner.call(trashFile, { id: trashed.id })
  const beside = await buildFolder(owner, 'beside')
  await buildFile(owner, { name: 'needle beside.txt', parent_id: beside.id })
  const shared = await buildFolder(owner, 'needle case', beside.id)
  await buildFile(owner, { name: 'needle in the case.txt', parent_id: shared.id })
  await buildShare(owner, shared, member, 'view')
})
afterAll(() => server.close())

async function search(user: BuiltUser, input: InputOf<typeof searchFiles>): Promise<string[]> {
  return (await user.call(searchFiles, input)).files.map(({ name }) => name).sort()
}

test.each(['needle', 'ne'])('finds what is shared with its user, and nothing beside it, by “%s”', async q => {
  const found = (await search(member, { q, limit: 100 })).filter(name => name.includes('needle'))
  expect(found).toEqual(['needle below.txt', 'needle case', 'needle in the case.txt', 'needles'])
})

test('finds the shared folder itself by its name', async () => {
  expect(await search(member, { q: 'large' })).toEqual(['large'])
})

test('counts frequent hits, and pages through them', async () => {
  const first = await member.call(searchFiles, { q: 'report', limit: 50 })
  expect(first).toMatchObject({ total: 1000, total_is_exact: false })
  const second = await member.call(searchFiles, { q: 'report', limit: 50, cursor: first.next_cursor ?? '' })
  expect(new Set([...first.files, ...second.files].map(({ id }) => id)).size).toBe(100)
})

test('finds by a tag what is below', async () => {
  const tag = await buildTag(member)
  const [hit] = (await member.call(searchFiles, { q: 'needle below' })).files
  await member.call(tagFiles, { tag_id: tag.id, file_ids: [hit?.id ?? 0] })
  expect(await search(member, { q: '', tag_id: tag.id })).toEqual(['needle below.txt'])
  expect(await search(member, { q: 'below', tag_id: tag.id, in: tree.id })).toEqual(['needle below.txt'])
})

test('finds in one folder what is below that alone', async () => {
  expect(await search(owner, { q: 'needle', in: tree.id })).toEqual(['needle below.txt', 'needles'])
  expect(await search(owner, { q: 'needle' })).toHaveLength(5)
})
