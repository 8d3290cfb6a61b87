/** A page of another moment in the backed-up database: what had been taken from somebody is not theirs after a restore. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteApiKey, updateApiKey } from '../../src/api/keys.ts'
import { deleteLink, updateLink } from '../../src/api/links.ts'
import { deleteShare } from '../../src/api/shares.ts'
import type { Restored } from '../../src/commands/backup/restore.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'
import { losePage } from './stale-page.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
})
afterEach(() => server?.close())

/** Backs up the server, which must find damage, and starts a server on what a restore makes of it. */
async function bringBack() {
  const folder = await backups.openFolder()
  const backup = await runOn(server, ['backup', folder])
  expect(backup.code).toBe(1)
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified.code).toBe(1)
  const site = await backups.openSite()
  const restored = await runOn(site, ['restore', folder, '--json'])
  expect(restored.code).toBe(1)
  const { problems } = JSON.parse(restored.stdout) as Restored
  expect((await runFsck(site)).code).toBe(0)
  return { told: problems.join('\n'), saved: backup.stdout + backup.stderr, url: (await backups.serveSite(site)).url }
}

const newKey = () => buildKey(server, ann, ['files:read'])

test('keys that were disabled or deleted do not work, and others are disabled', async () => {
  const [kept, disabled, deleted] = [await newKey(), await newKey(), await newKey()]
  await losePage(server, 'api_keys', async () => {
    await ann.call(updateApiKey, { id: disabled.id, is_active: false })
    await ann.call(deleteApiKey, { id: deleted.id })
  })
  const { told, saved, url } = await bringBack()
  for (const { keyId, secret } of [kept, disabled, deleted]) {
    const headers = { 'x-api-key-id': keyId, 'x-api-secret': secret }
    expect((await fetch(`${url}/api/files`, { headers })).status).toBe(401)
  }
  expect(saved).toContain(
    `table api_keys, row ${kept.id}: it may be of another moment, as an index tells, and a restore`,
  )
  for (const { id } of [kept, disabled, deleted])
    expect(told).toContain(`row ${id}: it may be of another moment, as an index tells; so it is disabled`)
})

test('links that were paused or deleted do not work, and others are paused', async () => {
  const newLink = async () => buildLink(ann, await buildFile(ann))
  const [kept, paused, deleted] = [await newLink(), await newLink(), await newLink()]
  await losePage(server, 'links', async () => {
    await ann.call(updateLink, { id: paused.id, is_active: false })
    await ann.call(deleteLink, { id: deleted.id })
  })
  const { url } = await bringBack()
  for (const { token } of [kept, paused, deleted]) expect((await fetch(`${url}/api/s/${token}`)).status).not.toBe(200)
})

test('shares that were withdrawn have ended, and others, too', async () => {
  const bob = await buildUser(server, { username: 'bob' })
  const [one, other] = [await buildFolder(ann), await buildFolder(ann)]
  await buildShare(ann, one, bob, 'edit')
  const { id } = await buildShare(ann, other, bob, 'edit')
  await losePage(server, 'shares', () => ann.call(deleteShare, { id }))
  const { url } = await bringBack()
  const again = await signIn(url, 'bob', bob.password)
  for (const folder of [one, other]) expect((await again.raw(`/api/files/${folder.id}`)).status).toBe(404)
})
