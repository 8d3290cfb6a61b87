/**
 * Pages of the activity and of the audit log are limited in bytes, too; a client that follows the cursor reads every
 * event.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChangeEvent, exportAudit, listAudit } from '../../src/api/events.ts'
import { listFileEvents } from '../../src/api/files.ts'
import { maxEventPageBytes } from '../../src/api/limits.ts'
import { readJson, runOn } from '../commands/administration.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readPages } from '../support/pages.ts'
import { plantRenames } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const renames = 2500

let server: TestServer
let admin: TestClient
let user: BuiltUser
let fileId: number
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
  fileId = (await buildFile(user)).id
  await plantRenames(server, user, fileId, renames)
})
afterAll(() => server.close())

/** The limit of bytes, with room for one entry beyond the estimate. */
const mostBytes = maxEventPageBytes * 1.05

/** Reads all pages of a list and expects each to be near the limit of bytes. */
async function readAll(
  read: (cursor: string | undefined) => Promise<{ events: ChangeEvent[]; next_cursor: string | null }>,
) {
  const { entries, sizes } = await readPages(async cursor => {
    const page = await read(cursor)
    const bytes = Buffer.byteLength(JSON.stringify(page))
    expect(bytes).toBeLessThan(mostBytes)
    if (page.next_cursor !== null) expect(bytes).toBeGreaterThan(maxEventPageBytes * 0.8)
    return { entries: page.events, next_cursor: page.next_cursor }
  })
  expect(sizes.length).toBeGreaterThan(2)
  return entries
}

/** The numbers in the planted names; every number appears once, the newest first. */
const numbersOf = (events: readonly ChangeEvent[]) =>
  events.flatMap(({ action, detail }) => (action === 'file.rename' ? [Number(`${detail?.to}`.slice(-8))] : []))
const allNumbers = Array.from({ length: renames }, (_, index) => renames - 1 - index)

test('the activity of an item with thousands of renames comes in pages of limited bytes', async () => {
  const events = await readAll(cursor => user.call(listFileEvents, { id: fileId, cursor }))
  expect(numbersOf(events)).toEqual(allNumbers)
  expect(events.at(-1)?.action).toBe('file.upload')
})

test('the audit log comes in pages of limited bytes, with and without a filter', async () => {
  expect(numbersOf(await readAll(cursor => admin.call(listAudit, { cursor })))).toEqual(allNumbers)
  const filtered = await readAll(cursor => admin.call(listAudit, { action: 'file.rename', cursor }))
  expect(numbersOf(filtered)).toEqual(allNumbers)
})

test('the export of the audit log and the command line list every event', async () => {
  const response = await admin.raw(`/api${exportAudit.path}?action=file.rename`)
  expect((await response.text()).match(/file\.rename/g)).toHaveLength(renames)
  const listed = await readJson(server, ['audit', '--action', 'file.rename', '--limit', String(renames + 1)])
  expect(numbersOf(listed as ChangeEvent[])).toEqual(allNumbers)
  const { stdout } = await runOn(server, ['admin', 'audit', '--csv', '--action', 'file.rename', '--limit', '2000'])
  expect(stdout.match(/file\.rename/g)).toHaveLength(2000)
})
