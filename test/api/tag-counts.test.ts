/** What it takes to count a user's tags in others' places. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listTags } from '../../src/api/tags.ts'
import type { Bind } from '../../src/db/connections.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildChain, buildTag, buildTeam, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let member: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  member = await buildUser(server)
})
afterAll(() => server.close())

/** How many rows the recursion in a statement makes. */
async function countSteps(sql: string, binds: readonly Bind[]): Promise<number> {
  const [recursion = ''] = /WITH RECURSIVE up .*(?=\sSELECT up\.\w+, up)/s.exec(sql) ?? []
  const most = Math.max(...[...recursion.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  const count = `SELECT COUNT(*) AS count FROM (${recursion} SELECT id FROM up) steps`
  return (await server.deps.db.row<{ count: number }>(count, binds.slice(0, most)))?.count ?? 0
}

test('the folders around many tagged files of a team are followed up once, not once for each file', async context => {
  onlyOneServer('process', context)
  const { db } = server.deps
  const team = await buildTeam(admin, member)
  const folders = await buildChain(member, 40, team.folder_id)
  const deepest = folders.at(-1) ?? 0
  const tag = await buildTag(member)
  await db.touch(async () => {
    await plantEntries(db, { userId: member.id, spaceId: team.id }, deepest, 300)
    await db.change('INSERT INTO file_tags (file_id, tag_id) SELECT id, $1 FROM files WHERE parent_id = $2', [
      tag.id,
      deepest,
    ])
  })
  const read = vi.spyOn(db, 'page')
  const { tags } = await member.call(listTags, {})
  const statements = read.mock.calls.filter(([, rest]) => rest.includes('WITH RECURSIVE up'))
  read.mockRestore()
  expect(tags.map(({ file_count }) => file_count)).toEqual([300])
  let steps = 0
  for (const [, rest, binds] of statements) steps += await countSteps(rest, binds ?? [])
  // Each item, and for each statement of 200 items each folder and the root of the team.
  expect(statements).toHaveLength(2)
  expect(steps).toBe(300 + 2 * (folders.length + 1))
})
