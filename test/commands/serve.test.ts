/** `filestore serve` as a service runs it: first start, flags, and an orderly stop. */

import { once } from 'node:events'
import { cp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { getFolderSize } from '../../src/api/files.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildFolder, buildKey } from '../support/factories.ts'
import { makeDataFolder } from '../support/migrated.ts'
import { onlyNightly, rounds } from '../support/rounds.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { spoilRows } from '../support/spoil.ts'
import { openSocket, requestHead } from '../support/wire.ts'
import { beginUpload, logged, secondSignal, stopTwice } from './stopping.ts'

let dataDir: string

const env = { FILESTORE_ADMIN_PASSWORD: 'some password' }

beforeEach(async () => {
  dataDir = await makeDataFolder()
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('the first start without a terminal writes the password to a file, and only the owner can read that and all others', async () => {
  const folder = join(dataDir, 'made by the server')
  const server = await serveBinary(['--data-dir', folder])
  const file = join(folder, 'first-admin-password.txt')
  expect(server.output).toContain(file)
  const password = (await readFile(file, 'utf8')).trim()
  expect(server.output).not.toContain(password)
  const admin = await signIn(server.url, 'admin', password)
  expect(await admin.call(getProfile, {})).toMatchObject({ role: 'admin', must_change_password: true })
  expect(await server.stop()).toBe(0)
  const paths = await readdir(folder, { recursive: true })
  const modes = await Promise.all(['', ...paths].map(async path => (await stat(join(folder, path))).mode & 0o077))
  expect(paths).toEqual(expect.arrayContaining(['filestore.db', 'first-admin-password.txt']))
  expect(new Set(modes)).toEqual(new Set([0]))
})

test('a password from the environment need not be changed, and later starts make no user', async context => {
  onlyNightly(context)
  const env = { FILESTORE_ADMIN_PASSWORD: 'given by the environment' }
  const first = await serveBinary(['--data-dir', dataDir], env)
  const admin = await signIn(first.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  expect(await admin.call(getProfile, {})).toMatchObject({ must_change_password: false })
  await first.stop()
  const second = await serveBinary(['--data-dir', dataDir], { FILESTORE_ADMIN_PASSWORD: 'another one' })
  await expect(signIn(second.url, 'admin', 'another one')).rejects.toMatchObject({ status: 401 })
  expect(second.output).not.toContain('administrator')
  await second.stop()
})

test('a flag overrides the environment, and the environment overrides the default', async () => {
  const folder = join(dataDir, 'by the flag')
  const given = { ...env, FILESTORE_DATA_DIR: dataDir, FILESTORE_STORAGE: dataDir, FILESTORE_MAX_FILE_SIZE: '1KB' }
  const server = await serveBinary(['--storage', folder], given)
  expect(server.output).toContain(folder)
  const admin = await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  const big = buildFile(admin, {}, Buffer.alloc(2000))
  await expect(big).rejects.toMatchObject({ status: 413, message: 'File is larger than 1KB' })
  await server.stop()
})

test('uploads are refused below the reserve of free space, and the log says so once', async () => {
  const server = await serveBinary(['--data-dir', dataDir, '--min-free-space', '1000000GB'], env)
  const admin = await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  for (const _ of [1, 2, 3]) await expect(buildFile(admin)).rejects.toMatchObject({ status: 507 })
  await server.stop()
  const log = String((await server.child).stderr)
  expect(log.match(/uploads stop/g)).toHaveLength(2)
  expect(log).not.toContain('"level":50')
})

test('what is refused because it is on its way to another user stands in the log with its reason, as no failure', async () => {
  const server = await serveBinary(['--data-dir', dataDir], env)
  const admin = await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  const { id } = await buildFolder(admin, 'Plans')
  const leaving = 'UPDATE spaces SET transfer_folder_id = $1 WHERE id = (SELECT space_id FROM files WHERE id = $1)'
  await spoilRows({ dataDir, databaseFlag: undefined }, leaving.replaceAll('$1', String(id)))
  await expect(admin.call(getFolderSize, { id })).rejects.toMatchObject({ status: 503 })
  await server.stop()
  const log = String((await server.child).stderr)
  expect(log).toContain('"error":"unavailable","msg":"This is being transferred to another user, try again"')
  expect(log).not.toContain('"level":50')
})

test('a server on a full disk says so, and starts once there is space', async context => {
  onlyNightly(context)
  const disk = await mountSmallDisk(context, '8m')
  context.onTestFinished(() => disk.unmount())
  const args = ['--data-dir', join(disk.folder, 'data'), '--storage', join(dataDir, 'storage')]
  await (await serveBinary(args, env)).stop()
  await disk.leave(0)
  const { exitCode, stderr } = await runBinary(['serve', '--port', '0', ...args], { env })
  expect(exitCode).toBe(7)
  expect(stderr).toContain('its disk is full or broken')
  await disk.leave(4 * 1024 ** 2)
  const server = await serveBinary(args, env)
  await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  expect(await server.stop()).toBe(0)
})

test('a stopping server finishes a running upload and a download by a device key, accepts nothing new, and logs no warning', async () => {
  const server = await serveBinary(['--data-dir', dataDir], env)
  const admin = await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  const content = Buffer.alloc(30 * 2 ** 20)
  const { id } = await buildFile(admin, {}, content)
  const { headers } = await buildKey(server, admin, ['files:read'], 'device')
  const download = request(`${server.url}/api/files/${id}/download`, { headers }).end()
  const [downloaded] = await once(download, 'response')
  const { answered, finish } = await beginUpload(server, admin)
  const stopping = logged(server, secondSignal)
  const exit = server.stop()
  await stopping
  await expect(fetch(server.url)).rejects.toThrow()
  finish()
  const [answer] = await answered
  expect(answer.statusCode).toBe(201)
  expect(answer.headers.connection).toBe('close')
  let received = 0
  for await (const part of downloaded) received += part.length
  expect(received).toBe(content.length)
  expect(await exit).toBe(0)
  expect(String((await server.child).stderr)).not.toContain('Warning')
})

test('a second signal aborts running requests, and the log says how many', async () => {
  const server = await serveBinary(['--data-dir', dataDir], env)
  const admin = await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  const uploads = [await beginUpload(server, admin), await beginUpload(server, admin)]
  expect(await stopTwice(server, uploads)).toMatch(/"cut":2,"msg":"requests were cut"/)
})

test('requests that waited behind another on a lost connection are released', async context => {
  onlyNightly(context)
  const server = await serveBinary(['--data-dir', dataDir], env)
  const admin = await signIn(server.url, 'admin', env.FILESTORE_ADMIN_PASSWORD)
  const upload = await beginUpload(server, admin)
  const body = JSON.stringify({ username: 'nobody', password: 'that takes a while to be checked' })
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const socket = await openSocket(server.url)
  const waiting = requestHead(server.url, 'GET', '/healthz', {}).repeat(20)
  socket.write(`${requestHead(server.url, 'POST', '/api/auth/login', headers)}${body}${waiting}`)
  await admin.call(getProfile, {})
  socket.destroy()
  await admin.call(getProfile, {})
  expect(await stopTwice(server, [upload])).toMatch(/"cut":1,"msg":"requests were cut"/)
})

test('idle connections do not delay the stop', async () => {
  const server = await serveBinary(['--data-dir', dataDir], env)
  const [silent, halfway] = [await openSocket(server.url), await openSocket(server.url)]
  const closed = Promise.all([once(silent, 'close'), once(halfway, 'close')])
  halfway.write('GET / HTTP/1.1\r\nHost: ')
  for (const socket of [silent, halfway]) socket.resume().on('error', () => undefined)
  expect((await fetch(server.url)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  await closed
})

const refusals: [args: string[], words: string][] = [
  [['--storage', '/proc/none'], 'There can be no folder /proc/none'],
  [['--database', 'mysql://root:50%@127.0.0.1/name'], '--database: write %25 for each % of its'],
  [['--storage', 's3://bucket'], 'FILESTORE_S3_SECRET_ACCESS_KEY'],
  [['--port', '99999'], '--port'],
  [['--workers', '2'], 'a SQLite database has one server process'],
  [['--no-such-flag'], '--no-such-flag'],
  [['--storage', 's3://'], 'it names no bucket'],
  [['--max-file-size', 'lots'], '--max-file-size'],
  [['--min-free-space', 'some'], '--min-free-space'],
  [['--database', 'postgres://host/name'], '--database'],
  [['--trust-proxy', 'everyone'], '--trust-proxy'],
  [['--accel-redirect', '/_filestore'], '--accel-redirect needs --trust-proxy'],
  [['--accel-redirect', '_filestore', '--trust-proxy', '127.0.0.1'], "'_filestore' is not a path"],
  [['--accel-redirect', '/a/../b', '--trust-proxy', '127.0.0.1'], "'/a/../b' is not a path"],
  [['--data-dir', '/proc/none/data'], 'There can be no folder /proc/none'],
  [['--storage', '/dev/null'], 'There can be no folder /dev/null'],
  [['--database', 'mysql:host/name'], '--database is not an address'],
  [['--database', 'mysql://root@127.0.0.1/na%zzme'], '--database: write %25 for each % of its'],
  [['--workers', '0'], '--workers'],
  [['--workers', '65'], '--workers'],
]

test.each(rounds(refusals.slice(0, 6), refusals))(
  '%j is refused with exit code 2 and a message',
  async (args, words) => {
    const result = await runBinary(['serve', '--data-dir', dataDir, ...args])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain(words)
    expect(result.stdout).toBe('')
  },
)

test.each(['short', 'x'.repeat(1025)])(
  'a FILESTORE_ADMIN_PASSWORD with which sign-in is impossible is refused',
  async password => {
    const env = { FILESTORE_ADMIN_PASSWORD: password }
    const result = await runBinary(['serve', '--port', '0', '--data-dir', dataDir], { env })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain('FILESTORE_ADMIN_PASSWORD')
  },
)

test('a database that does not answer, and a file that is no database, are reported with the remedy', async () => {
  const away = ['serve', '--port', '0', '--data-dir', dataDir, '--database', 'mysql://root:hush@127.0.0.1:9/nothing']
  const refused = await runBinary(away)
  expect(refused).toMatchObject({ exitCode: 7, stdout: '' })
  expect(refused.stderr).toContain('is MariaDB running, and --database right? (connect ECONNREFUSED 127.0.0.1:9)')
  const file = join(dataDir, 'filestore.db')
  await writeFile(file, 'something else. '.repeat(100))
  const other = await runBinary(['serve', '--port', '0', '--data-dir', dataDir])
  expect(other).toMatchObject({ exitCode: 2, stdout: '' })
  expect(other.stderr).toContain(`${file} is no SQLite database`)
})

test('a second server on the same SQLite database is refused, and the first one continues', async () => {
  const first = await serveBinary(['--data-dir', dataDir], env)
  const second = await runBinary(['serve', '--port', '0', '--data-dir', dataDir], { env })
  expect(second.exitCode).toBe(5)
  expect(second.stderr).toContain(`Another process serves or migrates ${join(dataDir, 'filestore.db')}: stop it first`)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  await first.stop('SIGKILL')
  // The system releases the lock of a process that has ended.
  const third = await serveBinary(['--data-dir', dataDir], env)
  expect(await third.stop()).toBe(0)
})

test('a port in use is named, with the remedy', async () => {
  const taken = createServer()
  const port = await new Promise<number>(resolve => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
  })
  const result = await runBinary(['serve', '--data-dir', dataDir, '--port', String(port)])
  taken.close()
  expect(result.exitCode).toBe(1)
  expect(result.stderr).toContain(`Port ${port} on 127.0.0.1 is in use: choose another with --port`)
})

test('a package that was replaced under a server has its old assets answered with 503, and as not to be kept', async () => {
  const root = join(import.meta.dirname, '../..')
  const copy = join(dataDir, 'package')
  const filter = (path: string) => !path.endsWith('.map')
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(root, part), join(copy, part), { recursive: true, filter })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const program = join(copy, 'bin/filestore.cjs')
  const server = await serveBinary(['--data-dir', join(dataDir, 'data')], env, process.execPath, program)
  const page = await (await fetch(server.url)).text()
  const [script = ''] = /assets\/[^"]+\.js/.exec(page) ?? []
  await rm(join(copy, 'dist/web/assets'), { recursive: true })
  const gone = await fetch(`${server.url}/${script}`)
  expect([gone.status, gone.headers.get('cache-control')]).toEqual([503, 'no-store'])
  expect(await gone.text()).toContain('has to be started again')
  await server.stop()
})
