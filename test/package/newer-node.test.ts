/** The built product on a newer Node than the one that runs the tests. `.ci/run` sets it in FILESTORE_TEST_NODE. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { createFolder, listFiles, renameFile } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { runBinary, type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { drawImage } from '../support/images.ts'
import { skipBecause } from '../support/skip.ts'

const node = process.env.FILESTORE_TEST_NODE
const password = 'given by the environment'

let folder: string
let server: ServeProcess
let admin: TestClient

/** Runs a command of the built program with the newer Node and the configuration in the test's folder. */
async function run(args: string[], input = '') {
  const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
  const { exitCode, stdout, stderr } = await runBinary(args, { node, env, input })
  return { code: exitCode, stdout, stderr }
}

beforeAll(async () => {
  if (node === undefined) return
  folder = await mkdtemp(join(tmpdir(), 'filestore-newer-node-'))
  const env = { FILESTORE_ADMIN_PASSWORD: password }
  server = await serveBinary(['--data-dir', join(folder, 'data')], env, node)
  admin = await signIn(server.url, 'admin', password)
})
afterAll(async () => {
  if (node === undefined) return
  await server.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})
beforeEach(context => {
  if (node === undefined) skipBecause('no newer Node: .ci/newer-node', context)
})

test('a file is uploaded, found, changed, trashed, restored and downloaded unchanged', async () => {
  // A content above 32 KiB goes to the store, and a thread hashes it.
  const bytes = randomBytes(3_000_000)
  const made = await admin.call(createFolder, { name: 'Papers', parent_id: null })
  const file = await admin.upload(bytes, { name: 'report.bin', parent_id: made.file.id })
  await admin.call(renameFile, { id: file.id, name: 'yearly report.bin' })
  expect((await admin.call(searchFiles, { q: 'yearly' })).files.map(({ id }) => id)).toEqual([file.id])
  await admin.call(trashFile, { id: file.id })
  await admin.call(restoreFile, { id: file.id })
  const listed = await admin.call(listFiles, { parent_id: made.file.id })
  expect(listed.files.map(({ name }) => name)).toEqual(['yearly report.bin'])
  const answer = await admin.raw(`/api/files/${file.id}/download`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  const zip = await admin.raw(`/api/files/${made.file.id}/archive`)
  expect(Buffer.from(await zip.arrayBuffer()).includes(bytes)).toBe(true)
  await admin.call(trashFile, { id: file.id })
  await admin.call(deleteFile, { id: file.id })
  expect((await admin.raw(`/api/files/${file.id}`)).status).toBe(404)
})

test('an image gets a thumbnail, and the page loads', async () => {
  const file = await admin.upload(await drawImage(600, 400).as('png'), { name: 'red.png' })
  const thumbnail = await admin.raw(`/api/files/${file.id}/thumbnail`)
  expect(thumbnail.headers.get('content-type')).toBe('image/webp')
  expect((await fetch(server.url)).status).toBe(200)
})

test('the client signs in, uploads, lists, downloads and deletes', async () => {
  const local = join(folder, 'notes.txt')
  await writeFile(local, 'written down\n')
  const signedIn = await run(['login', server.url, '--username', 'admin', '--password-stdin'], password)
  expect(signedIn).toMatchObject({ code: 0 })
  expect(await run(['upload', local])).toMatchObject({ code: 0 })
  const { stdout } = await run(['ls', '/', '--json'])
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toContain('notes.txt')
  const copy = join(folder, 'copy.txt')
  expect(await run(['download', '/notes.txt', copy])).toMatchObject({ code: 0 })
  expect(await readFile(copy, 'utf8')).toBe('written down\n')
  expect(await run(['rm', '/notes.txt'])).toMatchObject({ code: 0 })
})

test('administration works beside the server, which stops on SIGTERM and leaves an intact store', async () => {
  const data = ['--data-dir', join(folder, 'data')]
  expect((await run(['admin', 'user', 'list', ...data])).stdout).toContain('admin')
  expect((await admin.call(getProfile, {})).username).toBe('admin')
  expect(await server.stop()).toBe(0)
  expect(await run(['fsck', '--hash', ...data])).toMatchObject({ code: 0 })
})
