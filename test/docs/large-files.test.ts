/** The script of docs/api.md that uploads a large file with curl does so. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { getFileByPath } from '../../src/api/files.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { blocks } from './document.ts'

test('the script for curl uploads a file, and fails with a wrong key', async () => {
  const server = await startServer()
  const folder = await mkdtemp(join(tmpdir(), 'filestore-large-'))
  onTestFinished(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const user = await buildUser(server)
  const key = await buildKey(server, user, ['files:upload'])
  const { code = '' } = blocks.find(({ section, language }) => section === 'Large files' && language === 'sh') ?? {}
  const [script, file, bytes] = [join(folder, 'upload.sh'), join(folder, 'Übung 1.bin'), randomBytes(2_000_000)]
  await writeFile(script, code)
  await writeFile(file, bytes)
  const run = (secret: string) =>
    execa('bash', [script, file], {
      env: { FILESTORE_URL: server.url, FILESTORE_KEY_ID: key.keyId, FILESTORE_SECRET: secret },
      reject: false,
    })
  expect((await run(`${key.secret}x`)).exitCode).not.toBe(0)
  expect((await run(key.secret)).exitCode).toBe(0)
  const stored = (await user.call(getFileByPath, { path: '/Übung 1.bin' })).file
  const download = await user.raw(`/api/files/${stored.id}/download`)
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
})
