/** Rows with an id that filestore never gives, 0 or a negative one: fsck, backup, `--verify` and `restore` name them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTables } from '../../src/db/tables.ts'
import { signIn } from '../support/client.ts'
import {
  buildField,
  buildFile,
  buildGroup,
  buildKey,
  buildRole,
  buildShare,
  buildTag,
  buildUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
/** The damaged rows: `files -7`. */
const damaged: { table: string; id: number }[] = []

beforeAll(async () => {
  server = await startServer()
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const [ann, ben] = [await buildUser(server), await buildUser(server)]
  const file = await buildFile(ann)
  await buildLink(ann, file)
  await buildShare(ann, file, ben, 'view')
  await buildGroup(admin, [ann])
  await buildField(admin)
  await buildTag(ann)
  await buildKey(server, ann, ['files:read'])
  await buildRole(server, ['files:read'])
  await buildUser(server)
  for (const { name: table, key } of await findTables(server.deps.db)) {
    if (key.join() !== 'id') continue
    const last = await server.deps.db.row<{ id: number | null }>(`SELECT MAX(id) AS id FROM ${table}`)
    if (!last?.id) continue
    const id = damaged.length % 2 === 0 ? 0 : -7
    await spoilRows(server, `UPDATE ${table} SET id = ${id} WHERE id = ${last.id}`)
    damaged.push({ table, id })
  }
})
afterAll(() => server.close())

test('fsck names every row with an id that is not above 0', async () => {
  expect(damaged.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['api_keys', 'blobs', 'events', 'files', 'links', 'roles', 'shares', 'tags', 'users']),
  )
  const { findings } = await runFsck(server)
  const isNamed = ({ table, id }: (typeof damaged)[number]) =>
    findings.some(({ problem, name, detail }) => {
      return problem === 'id' && name === `table ${table}` && detail.startsWith(`a row has the id ${id},`)
    })
  expect(damaged.filter(row => !isNamed(row))).toEqual([])
})

test('backup, --verify and restore name every row with an id that is not above 0', async () => {
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const backup = await runOn(server, ['backup', folder, '--json'])
  const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
  const restored = await runOn(site, ['restore', folder, '--json'])
  expect([backup.code, verified.code, restored.code]).toEqual([1, 1, 1])
  const saved = damaged.filter(({ table }) => !['sessions', 'file_thumbnails'].includes(table))
  for (const { problems } of [
    JSON.parse(backup.stdout),
    JSON.parse(verified.stdout).snapshots[0],
    JSON.parse(restored.stdout),
  ]) {
    const isTold = ({ table, id }: (typeof damaged)[number]) =>
      problems.some((problem: string) => problem.startsWith(`${table} ${id}: its id is none that filestore gives`))
    expect(saved.filter(row => !isTold(row))).toEqual([])
  }
})
