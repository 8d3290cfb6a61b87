/** A commit that succeeded although its answer was lost with the connection: the contents that its rows name stay. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { buildUser } from '../support/factories.ts'
import { openLossyDatabase } from '../support/lossy-database.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { createDatabase } from '../support/test-server.ts'
import { runOn } from './administration.ts'

/** Too large for the database, so it is in the store. */
const large = randomBytes(100_000)

/** A server with a user, which reaches its MariaDB through a proxy that loses answers. */
async function openSite(context: TestContext) {
  onlyOn('mariadb', context)
  const database = await createDatabase()
  const lossy = await openLossyDatabase(String(database.flag))
  const server = await startServer({ database: lossy.url })
  const folder = await mkdtemp(join(tmpdir(), 'filestore-lost-'))
  onTestFinished(async () => {
    await server.close()
    await lossy.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const ann = await buildUser(server, { username: 'ann' })
  /** The contents of ann's files by name. */
  const readFiles = async () => {
    const { files } = await ann.call(listFiles, {})
    const bytes = files.map(({ id }) => ann.raw(`/api/files/${id}/download`).then(answer => answer.arrayBuffer()))
    return new Map(files.map(({ name }, index) => [name, bytes[index]]))
  }
  return { server, lossy, folder, ann, readFiles }
}

test('an upload with a lost commit answer gets 503, and its file is complete', async context => {
  const { lossy, ann, readFiles } = await openSite(context)
  lossy.loseNextCommit('files')
  const form = new FormData()
  form.append('file', new Blob([large]), 'large.bin')
  const answer = await ann.raw('/api/files/upload', { method: 'POST', body: form })
  expect([answer.status, lossy.lost()]).toEqual([503, 1])
  const [[name, bytes] = []] = await readFiles()
  expect(name).toBe('large.bin')
  expect(Buffer.from((await bytes) as ArrayBuffer)).toEqual(large)
})

test('an import with a lost commit answer ends with code 7, and a second run finds the imported file', async context => {
  const { server, lossy, folder, readFiles } = await openSite(context)
  await writeFile(join(folder, 'large.bin'), large)
  const importFolder = () =>
    runOn({ dataDir: server.dataDir, databaseFlag: lossy.url }, ['import', folder, '--user', 'ann', '--json'])
  lossy.loseNextCommit('files')
  const { code } = await importFolder()
  expect([code, lossy.lost()]).toEqual([7, 1])
  const again = await importFolder()
  expect(JSON.parse(again.stdout)).toMatchObject({ files: 0, unchanged: 1 })
  const [[name, bytes] = []] = await readFiles()
  expect(name).toBe('large.bin')
  expect(Buffer.from((await bytes) as ArrayBuffer)).toEqual(large)
})
