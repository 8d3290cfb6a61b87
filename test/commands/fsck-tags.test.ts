/** `filestore fsck` of what users own: very many tags on folders, and what looks odd but is well. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileItem } from '../../src/api/items.ts'
import { createApiKey, updateApiKey } from '../../src/api/keys.ts'
import { updateField } from '../../src/api/metadata.ts'
import { createRole, listPermissions, updateRole } from '../../src/api/roles.ts'
import { plantFolder } from '../bench/plant.ts'
import { signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildKey,
  buildTag,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

test('fsck reports each of many tags on folders once, and --repair removes them from every listing', {
  timeout: 120_000,
}, async () => {
  const tags = [await buildTag(user), await buildTag(await buildUser(server))]
  const file = await buildFile(user)
  await plant(server, user, async (db, owner) => {
    for (let at = 0; at < 600; at += 1) await plantFolder(db, owner, null, `Tagged ${at}`)
  })
  for (const { id } of tags) {
    await spoilRows(server, `INSERT INTO file_tags (tag_id, file_id) SELECT ${id}, id FROM files`)
  }
  const { findings } = await runFsck(server)
  const told = findings.map(({ problem, file_id }) => `${problem} ${file_id}`)
  const folders = await server.deps.db.rows<{ id: number }>('SELECT id FROM files WHERE is_directory = 1 ORDER BY id')
  expect(told).toEqual(tags.flatMap(() => folders.map(({ id }) => `folder-tag ${id}`)))
  const listing = await user.raw('/api/files')
  const unlessSame = { headers: { 'if-none-match': listing.headers.get('etag') ?? '' } }
  expect(await listing.text()).toContain('"tags":[{')
  await runFsck(server, '--repair')
  const repaired = await user.raw('/api/files', unlessSame)
  expect(repaired.status).toBe(200)
  expect(JSON.parse(await repaired.text()).data.folders.flatMap((folder: FileItem) => folder.tags)).toEqual([])
  expect((await runFsck(server)).findings).toEqual([])
  const left = await server.deps.db.rows('SELECT tag_id, file_id FROM file_tags ORDER BY tag_id')
  expect(left).toEqual(tags.map(({ id }) => ({ tag_id: id, file_id: file.id })))
})

test('nothing is told of keys and values that rights and options have changed under', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { metadata_enabled: true })
  const permissions = ['files:read', 'files:upload', 'api-keys:manage'] as const
  const all = (await admin.call(listPermissions, {})).permissions
  const idsOf = (keys: readonly string[]) => all.filter(({ key }) => keys.includes(key)).map(({ id }) => id)
  const { role } = await admin.call(createRole, { name: 'narrowed later', permission_ids: idsOf(permissions) })
  const owner = await buildUser(server, { role: role.name })
  const field = await buildField(admin, { field_type: 'select', options: ['one', 'two'] })
  await buildFile(owner, { metadata: [{ field_id: field.id, value: 'two' }] })
  const maker = await buildKey(server, owner, [...permissions], 'script', { expires_in: 30 })
  const limits = { expires_in: 10, rate_limit_per_minute: 5 }
  const made = await maker.call(createApiKey, { name: 'made', permissions: ['files:upload'], ...limits })
  await admin.call(updateField, { id: field.id, options: ['three'] })
  await admin.call(updateRole, { id: role.id, permission_ids: idsOf(['api-keys:manage']) })
  await owner.call(updateApiKey, { id: maker.id, is_active: false })
  await admin.call(updateField, { id: field.id, is_enabled: false })
  const keys = await server.deps.db.rows('SELECT made_by FROM api_keys WHERE id = $1', [made.id])
  expect(keys).toEqual([{ made_by: maker.id }])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})
