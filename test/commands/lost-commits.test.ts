/**
 * A commit that succeeded although its answer was lost with the connection, or that succeeds later: the contents that its
 * rows name stay.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { uploadMany } from '../../src/api/upload-many.ts'
import type { TestClient } from '../support/client.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { type LossyDatabase, openLossyDatabase } from '../support/lossy-database.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { createDatabase } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import { runFsck } from './fsck-run.ts'

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
  /** The contents of a user's files by name. */
  const readFiles = async (user: TestClient = ann) => {
    const { files } = await user.call(listFiles, {})
    const bytes = files.map(({ id }) => user.raw(`/api/files/${id}/download`).then(answer => answer.arrayBuffer()))
    return new Map(files.map(({ name }, index) => [name, bytes[index]]))
  }
  /** Expects that a user has just these files, all with the large content. */
  const expectLarge = async (user: TestClient, names: readonly string[]) => {
    const files = await readFiles(user)
    expect([...files.keys()].sort()).toEqual(names)
    for (const bytes of files.values()) expect(large.equals(Buffer.from((await bytes) as ArrayBuffer))).toBe(true)
  }
  const expectNothingLost = async () => {
    const { counts } = await runFsck({ dataDir: server.dataDir, databaseFlag: lossy.url }, '--hash')
    expect(counts).toMatchObject({ lost: 0, repairable: 0 })
  }
  return { server, lossy, folder, ann, readFiles, expectLarge, expectNothingLost }
}

const upload = (user: TestClient, name: string) => {
  const form = new FormData()
  form.append('file', new Blob([large]), name)
  return user.raw('/api/files/upload', { method: 'POST', body: form })
}

test('an upload with a lost commit answer gets 503, and its file is complete', async context => {
  const { lossy, ann, readFiles } = await openSite(context)
  lossy.loseNextCommit('files')
  const answer = await upload(ann, 'large.bin')
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

/** Expects that a change is not acknowledged, and commits it afterwards. */
async function commitLate(lossy: LossyDatabase, text: string, change: () => Promise<unknown>) {
  const lost = lossy.lost()
  const commit = lossy.holdNextCommit(text)
  expect([await change(), lossy.lost()]).toEqual([503, lost + 1])
  await commit()
}

test("uploads whose commits come after their 503 leave another user's equal file whole, and their own", async context => {
  const { server, lossy, ann, expectLarge, expectNothingLost } = await openSite(context)
  const bob = await buildUser(server)
  expect((await upload(ann, 'first.bin')).status).toBe(201)
  await commitLate(lossy, 'second.bin', async () => (await upload(bob, 'second.bin')).status)
  await expectLarge(ann, ['first.bin'])
  await commitLate(lossy, 'third.bin', async () => {
    const form = new FormData()
    form.append('item', JSON.stringify({ name: 'third.bin' }))
    form.append('file', new Blob([large]), 'third.bin')
    const { data } = (await (await bob.raw(`/api${uploadMany.path}`, { method: 'POST', body: form })).json()) as {
      data: unknown
    }
    const [third] = uploadMany.output.parse(data).results
    return third?.ok === false && third.error === 'unavailable' && 503
  })
  await expectLarge(ann, ['first.bin'])
  await expectLarge(bob, ['second.bin', 'third.bin'])
  await expectNothingLost()
})

test("an import whose commit comes after its end leaves another user's equal file whole, and its own", async context => {
  const { server, lossy, folder, ann, expectLarge, expectNothingLost } = await openSite(context)
  const bob = await buildUser(server, { username: 'bob' })
  expect((await upload(ann, 'first.bin')).status).toBe(201)
  await writeFile(join(folder, 'second.bin'), large)
  await commitLate(lossy, 'second.bin', async () => {
    const place = { dataDir: server.dataDir, databaseFlag: lossy.url }
    const { code } = await runOn(place, ['import', folder, '--user', 'bob', '--json'])
    return code === 7 && 503
  })
  await expectLarge(ann, ['first.bin'])
  await expectLarge(bob, ['second.bin'])
  await expectNothingLost()
})

test('a thumbnail whose commit comes after the 503 is there at the next look', async context => {
  const { lossy, ann } = await openSite(context)
  const { id } = await buildFile(ann, { name: 'image.png' }, await drawImage(60, 40).as('png'))
  const look = async () => (await ann.raw(`/api/files/${id}/thumbnail`)).status
  await commitLate(lossy, 'INSERT INTO file_thumbnails (', look)
  expect(await look()).toBe(200)
})
