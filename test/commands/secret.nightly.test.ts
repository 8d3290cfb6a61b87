/** The server's secret: `backup`, `--verify`, `restore` and `fsck` keep it with the database that it belongs to. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Link, listLinks } from '../../src/api/links.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'
import { dataFlags, expectRefusal, runOn, spawnOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let link: Link & { token: string }
let folder: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  link = await buildLink(ann, await buildFile(ann, {}, 'a letter'))
  folder = await backups.openFolder()
})
afterEach(() => server.close())

const secretOf = ({ dataDir }: Pick<TestServer, 'dataDir'>): string => join(dataDir, 'secret.key')
const newSecret = (): string => randomBytes(32).toString('base64url')

/** What a server of the built binary shows of the link to its maker, and answers its visitor. */
async function look(site: backups.Site, env: Record<string, string> = {}) {
  const running = await serveBinary(dataFlags(site), env)
  const maker = await signIn(running.url, ann.username, ann.password)
  const [shown] = (await maker.call(listLinks, {})).links
  const { status } = await openVisitor(running.url, link.token).raw('/download')
  await running.stop()
  return { token: shown?.token, status }
}

test.each([
  ['a folder', 'place'],
  ['one file', 'backup.tar'],
])('a backup into %s holds the secret, for its owner alone, and a restore puts it in place', async (_, name) => {
  const place = join(folder, name)
  expect(await backups.backUp(server, place)).toMatchObject({ secret: 'saved' })
  const secret = await readFile(secretOf(server), 'utf8')
  if (name === 'place') {
    expect(await readFile(join(place, 'secret.key'), 'utf8')).toBe(secret)
    expect((await stat(join(place, 'secret.key'))).mode & 0o777).toBe(0o600)
  }
  expect(await runOn(server, ['backup', '--verify', place])).toMatchObject({ code: 0 })
  const site = await backups.openSite()
  expect(await backups.restore(place, site)).toMatchObject({ secret: 'restored' })
  expect(await readFile(secretOf(site), 'utf8')).toBe(secret)
  expect((await stat(secretOf(site))).mode & 0o777).toBe(0o600)
  expect(await look(site)).toEqual({ token: link.token, status: 200 })
})

test.each([
  ['missing', undefined],
  ['another one', newSecret()],
  ['none', 'nonsense'],
])('a secret in a backup that is %s is named by --verify and restore', async (_, text) => {
  await backups.backUp(server, folder)
  const path = join(folder, 'secret.key')
  if (text === undefined) await rm(path)
  else await writeFile(path, text)
  const words = 'secret.key: it is missing, or not the secret of this snapshot'
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(words) })
  const site = await backups.openSite()
  const restored = await runOn(site, ['restore', folder])
  expect(restored.code).toBe(1)
  expect(restored.stderr).toContain('does not start without it: put its secret.key into the data folder')
  expectRefusal(await spawnOn(site, ['serve', '--port', '0']), 2, 'The secret of this database is missing')
  // The next backup brings it again.
  await backups.backUp(server, folder)
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({ code: 0 })
})

test('a restore takes the same secret that is there, and refuses another one before it makes anything', async () => {
  await backups.backUp(server, folder)
  const [same, other] = [await backups.openSite(), await backups.openSite()]
  await writeFile(secretOf(same), await readFile(secretOf(server)))
  expect(await backups.restore(folder, same)).toMatchObject({ secret: 'there' })
  const kept = newSecret()
  await writeFile(secretOf(other), kept)
  expectRefusal(await runOn(other, ['restore', folder]), 5, 'is the secret of another server, and stays')
  expect(await readFile(secretOf(other), 'utf8')).toBe(kept)
  expect(existsSync(join(other.dataDir, 'storage'))).toBe(false)
  const env = { FILESTORE_SECRET_KEY: newSecret() }
  const refused = await runOn(await backups.openSite(), ['restore', folder], '', env)
  expectRefusal(refused, 2, 'FILESTORE_SECRET_KEY is not the secret of this backup')
})

test('a secret of the environment is in no backup, which says so, and a restored server needs it again', async () => {
  const env = { FILESTORE_SECRET_KEY: (await readFile(secretOf(server), 'utf8')).trim() }
  await rm(secretOf(server))
  const without = await runOn(server, ['backup', folder])
  expect(without.code).toBe(1)
  expect(without.stderr).toContain("The server's secret is not in the backup, for it is not there")
  const made = await runOn(server, ['backup', folder], '', env)
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('FILESTORE_SECRET_KEY is not in the backup') })
  expect(existsSync(join(folder, 'secret.key'))).toBe(false)
  const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
  expect(JSON.parse(verified.stdout).snapshots).toMatchObject([{ problem_count: 1 }, { problem_count: 0 }])
  const site = await backups.openSite()
  const restored = await runOn(site, ['restore', folder])
  expect(restored).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the same FILESTORE_SECRET_KEY as before'),
  })
  expectRefusal(await spawnOn(site, ['serve', '--port', '0']), 2, 'The secret of this database is missing')
  expect(await look(site, env)).toEqual({ token: link.token, status: 200 })
  expect(existsSync(secretOf(site))).toBe(false)
})

test('fsck names a lost secret, and --repair accepts another: links work, and their addresses are lost', async () => {
  await backups.backUp(server, folder)
  const site = await backups.openSite()
  await backups.restore(folder, site)
  await rename(secretOf(site), `${secretOf(site)}.away`)
  const problem = { problem: 'secret', verdict: 'repairable' }
  const found = await runFsck(site)
  expect(found).toMatchObject({ code: 10, findings: [problem] })
  expect(found.findings[0]?.detail).toContain('the addresses of 1 links cannot be shown again, and still work')
  expect(existsSync(secretOf(site))).toBe(false)
  expect(await runFsck(site, '--repair')).toMatchObject({ code: 0, findings: [{ ...problem, repaired: true }] })
  expect(await runFsck(site)).toMatchObject({ code: 0, findings: [] })
  expect(await look(site)).toEqual({ token: null, status: 200 })

  // The right secret has come back: what it sealed can be opened again.
  const made = await readFile(secretOf(site))
  await rename(`${secretOf(site)}.away`, secretOf(site))
  expectRefusal(await spawnOn(site, ['serve', '--port', '0']), 2, 'This database belongs to another secret')
  expect(await runFsck(site, '--repair')).toMatchObject({ findings: [{ ...problem, repaired: true }] })
  expect(await look(site)).toEqual({ token: link.token, status: 200 })

  await writeFile(secretOf(site), made)
  await runFsck(site, '--repair')
  await look(site)
  const seal = { problem: 'link-seal', verdict: 'repairable' }
  expect(await runFsck(site)).toMatchObject({ code: 10, findings: [seal] })
  expect(await runFsck(site, '--repair')).toMatchObject({ code: 0, findings: [{ ...seal, repaired: true }] })
  expect(await runFsck(site)).toMatchObject({ code: 0, findings: [] })
  expect(await look(site)).toEqual({ token: null, status: 200 })
})

test.each<[string, (path: string) => Promise<unknown>]>([
  ['another text', path => writeFile(path, 'nonsense')],
  ['a pipe', path => execa('mkfifo', [path])],
  ['a socket', path => new Promise<void>(resolve => createServer().listen(path, resolve).unref())],
  ['a link to itself', path => symlink(path, path)],
])('%s in the place of the secret is named, and a repair moves it away', async (_what, put) => {
  await rm(secretOf(server))
  await put(secretOf(server))
  const found = await runFsck(server)
  expect(found.findings).toMatchObject([{ problem: 'secret', detail: expect.stringContaining('its file holds none') }])
  expect((await runOn(server, ['backup', folder])).code).toBe(1)
  await runFsck(server, '--repair')
  expect(await readdir(server.dataDir)).toContain('secret.key.damaged')
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})

test('a link to the file of the secret is followed, as containers mount it', async () => {
  const place = join(folder, 'mounted')
  await rename(secretOf(server), place)
  await symlink(place, secretOf(server))
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})

test('a folder keeps the secret of each snapshot', async () => {
  const { snapshot: first } = await backups.backUp(server, folder)
  const old = await readFile(secretOf(server), 'utf8')
  await rm(secretOf(server))
  await runFsck(server, '--repair')
  await look(server)
  const { snapshot: second } = await backups.backUp(server, folder)
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({ code: 0 })
  for (const [snapshot, secret] of [
    [first, old],
    [second, await readFile(secretOf(server), 'utf8')],
  ] as const) {
    const site = await backups.openSite()
    await backups.restore(folder, site, '--snapshot', snapshot)
    expect(await readFile(secretOf(site), 'utf8')).toBe(secret)
  }
})
