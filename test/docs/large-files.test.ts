/** The scripts of docs/api.md that upload a large file with curl do so. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getFileByPath } from '../../src/api/files.ts'
import { type BuiltUser, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { blocks } from './document.ts'

/** Runs the script of a section with a file, in an environment; returns the exit code. */
async function openScript(title: string, bytes: Buffer): Promise<(env: Record<string, string>) => Promise<number>> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-large-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { code = '' } = blocks.find(({ section, language }) => section === title && language === 'sh') ?? {}
  const [script, file] = [join(folder, 'upload.sh'), join(folder, 'Übung 1.bin')]
  await writeFile(script, code)
  await writeFile(file, bytes)
  return async env => (await execa('bash', [script, file], { env, reject: false })).exitCode ?? -1
}

const bytes = randomBytes(2_000_000)

async function expectStored(user: BuiltUser, path: string): Promise<void> {
  const stored = (await user.call(getFileByPath, { path })).file
  const download = await user.raw(`/api/files/${stored.id}/download`)
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
}

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

test('the script for curl uploads a file, and fails with a wrong key', async () => {
  const key = await buildKey(server, user, ['files:upload'])
  const run = await openScript('Large files', bytes)
  const env = { FILESTORE_URL: server.url, FILESTORE_KEY_ID: key.keyId }
  expect(await run({ ...env, FILESTORE_SECRET: `${key.secret}x` })).not.toBe(0)
  expect(await run({ ...env, FILESTORE_SECRET: key.secret })).toBe(0)
  await expectStored(user, '/Übung 1.bin')
})

test('the script for visitors uploads a file to a link, and fails without one', async () => {
  const { token } = await buildLink(user, await buildFolder(user, 'Inbox'), { level: 'upload' })
  const run = await openScript('Links for visitors', bytes)
  expect(await run({ FILESTORE_URL: server.url, FILESTORE_TOKEN: 'x'.repeat(22) })).not.toBe(0)
  expect(await run({ FILESTORE_URL: server.url, FILESTORE_TOKEN: token })).toBe(0)
  await expectStored(user, '/Inbox/Übung 1.bin')
})
