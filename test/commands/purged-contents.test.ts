/** Bytes that are deleted from quarantine: never those of a content whose row is damaged or gone. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { graceTime, quarantineTime, sweep } from '../../src/blobs/sweep.ts'
import { openSweepRows } from '../../src/files/sweep-rows.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { flipMiddle, overwrite, spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let fileId: number
const content = largeContent()

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  fileId = (await buildFile(ann, {}, content)).id
})
afterEach(() => server.close())

/** Sweeps as the server does every day: once when the bytes are old enough to be moved, once when they are to be deleted. */
async function sweepTwice() {
  const { deps } = server
  const moved = Date.now() + 2 * graceTime
  const first = await sweep(deps.store, openSweepRows(deps), moved)
  const second = await sweep(deps.store, openSweepRows(deps), moved + 2 * quarantineTime)
  return { quarantined: first.quarantined, purged: second.purged }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function expectDownload() {
  const answer = await ann.raw(`/api/files/${fileId}/download`)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
}

describe.each([
  { damage: 'another key', change: `\`key\` = '${newBlobKey()}'` },
  { damage: 'another key and another place', change: `\`key\` = '${newBlobKey()}', place = 'inline'` },
  { damage: 'another place', change: "place = 'inline'" },
])('the bytes of a content whose row got $damage', ({ change }) => {
  test('outlive the quarantine, and are given back by a repair', async () => {
    await spoilRows(server, `UPDATE blobs SET ${change}`)
    expect(await sweepTwice()).toMatchObject({ purged: 0 })
    expect((await runFsck(server, '--repair')).code).toBe(0)
    await expectDownload()
    expect((await runFsck(server)).code).toBe(0)
  })

  test('are given back by a repair before they are swept', async () => {
    await spoilRows(server, `UPDATE blobs SET ${change}`)
    expect((await runFsck(server, '--repair')).code).toBe(0)
    await expectDownload()
  })
})

test('while a file names no content, nothing is deleted from quarantine', async () => {
  await spoilRows(server, 'DELETE FROM blobs')
  expect(await sweepTwice()).toEqual({ quarantined: 1, purged: 0 })
})

test('a content beside its row that is said to be in the store is read again after a repair', async () => {
  const small = await buildFile(ann, {}, 'a few words')
  await spoilRows(server, "UPDATE blobs SET place = 'store' WHERE place = 'inline'")
  expect((await runFsck(server, '--repair')).code).toBe(0)
  expect(await (await ann.raw(`/api/files/${small.id}/download`)).text()).toBe('a few words')
})

test('a whole copy of bytes that the store has damaged meanwhile outlives the quarantine', async () => {
  const { deps } = server
  const [key] = (await readHoldings(server)).keys
  await deps.store.put(newBlobKey(), piecesOf(content))
  expect(await sweep(deps.store, openSweepRows(deps), Date.now() + 2 * graceTime)).toMatchObject({ quarantined: 1 })
  await overwrite(server, key ?? expect.fail(), flipMiddle)
  const later = Date.now() + 2 * quarantineTime
  expect(await sweep(deps.store, openSweepRows(deps), later)).toMatchObject({ purged: 0, missed: 1 })
})

test('bytes that nobody misses are deleted a week after they were moved', async () => {
  const { store } = server.deps
  await store.put(newBlobKey(), piecesOf(content))
  expect(await sweepTwice()).toEqual({ quarantined: 1, purged: 1 })
  await expectDownload()
})
