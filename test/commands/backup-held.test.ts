/** What the store keeps for a backup that is copying: the bytes that the backup may need, and no others. */
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { afterEach, beforeEach, expect, type TestContext, test, vi } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { minute } from '../../src/base/clock.ts'
import { startBinary } from '../support/binary.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { buildFailingDisk, heldUp } from '../support/failing-disk.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyInFolder } from '../support/only-on.ts'
import { largeContent, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { pathOfKey } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server)
})
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

const keys = async (): Promise<string[]> => (await readHoldings(server)).keys

/** Starts a backup that has copied one file and waits for the bytes of all others, until `release`. */
async function holdBackup(context: TestContext) {
  const env = { ...(await buildFailingDisk(context, 'refused')), FILESTORE_MIN_FREE_SPACE: '0' }
  // Open, because a test may delete them.
  const held = await Promise.all((await keys()).map(key => open(pathOfKey(server, key), 'r+')))
  context.onTestFinished(async () => void (await Promise.all(held.map(file => file.close()))))
  for (const file of held) await file.chmod(heldUp)
  const { sha256 } = await buildFile(ann, {}, largeContent())
  const folder = await backups.openFolder()
  const running = startBinary(['backup', folder, ...dataFlags(server)], { env })
  context.onTestFinished(() => void running.kill('SIGKILL'))
  await until(async () => running.exitCode !== null || existsSync(backups.contentPath(folder, sha256 ?? '')))
  return {
    folder,
    held,
    release: async () => {
      for (const file of held) await file.chmod(0o600)
      return running
    },
  }
}

async function deleteForGood(id: number): Promise<void> {
  await ann.call(trashFile, { id })
  await ann.call(deleteFile, { id })
}

test('what comes and goes while a backup copies leaves nothing, and what its rows name is in it', async context => {
  onlyInFolder(context)
  const contents = new Map(['deleted', 'replaced', 'sent again'].map(name => [name, largeContent()]))
  const ids = new Map<string, number>()
  for (const [name, content] of contents) ids.set(name, (await buildFile(ann, { name }, content)).id)
  const { folder, release } = await holdBackup(context)
  const before = await keys()

  // Nobody knows the snapshot's moment better than the clocks of servers agree.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * minute })
  await deleteForGood(ids.get('deleted') ?? 0)
  for (let count = 0; count < 20; count += 1) {
    await deleteForGood((await buildFile(ann, {}, largeContent())).id)
    await buildFile(ann, { name: 'replaced', on_conflict: 'replace' }, largeContent())
    await buildFile(ann, { name: 'sent again', on_conflict: 'replace' }, contents.get('sent again'))
  }
  const after = await keys()
  expect(after).toEqual(expect.arrayContaining(before))
  // The present bytes of the two files that are still there.
  expect(after.length).toBe(before.length + 2)

  expect(await release()).toMatchObject({ exitCode: 0, stderr: '' })
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({ code: 0 })
  const site = await backups.openSite()
  await backups.restore(folder, site)
  const restored = await backups.readWhole(site)
  for (const [name, content] of contents) expect(restored.get(name)?.equals(content)).toBe(true)
})

test('a backup whose bytes are gone, because nobody kept them, takes the rows as they are by then', async context => {
  onlyInFolder(context)
  const { db } = server.deps
  const { id } = await buildFile(ann, { name: 'deleted' }, largeContent())
  const { folder, held, release } = await holdBackup(context)
  const before = await keys()
  // As if its machine had slept, and another backup had begun.
  await db.touch(() => db.change("DELETE FROM leases WHERE name LIKE 'backup:%'"))
  await deleteForGood(id)
  expect((await keys()).length).toBe(before.length - 1)
  for (const file of held) await file.truncate(0)

  expect(await release()).toMatchObject({ exitCode: 0, stderr: '' })
  const site = await backups.openSite()
  await backups.restore(folder, site)
  expect((await backups.readWhole(site)).size).toBe(1)
})
