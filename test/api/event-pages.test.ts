/** Pages of the activity and of the audit log end also at so many bytes; whoever follows the cursor reads all. */
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

/** As many bytes as the entries stand for, and room for the one that was too many for the estimate. */
const mostBytes = maxEventPageBytes * 1.05

/** All events of a list, each of whose pages is as small as it must be. */
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

/** The numbers in the planted names: each once, the newest first. */
const numbersOf = (events: readonly ChangeEvent[]) =>
  events.flatMap(({ action, detail }) => (action === 'file.rename' ? [Number(`${detail?.to}`.slice(-8))] : []))
const allNumbers = Array.from({ length: renames }, (_, index) => renames - 1 - index)

test('the activity of an item that was renamed without end comes in pages of bounded bytes', async () => {
  const events = await readAll(cursor => user.call(listFileEvents, { id: fileId, cursor }))
  expect(numbersOf(events)).toEqual(allNumbers)
  expect(events.at(-1)?.action).toBe('file.upload')
})

test('so does the audit log, with and without a filter', async () => {
  expect(numbersOf(await readAll(cursor => admin.call(listAudit, { cursor })))).toEqual(allNumbers)
  const filtered = await readAll(cursor => admin.call(listAudit, { action: 'file.rename', cursor }))
  expect(numbersOf(filtered)).toEqual(allNumbers)
})

test('the audit log’s export and the terminal have them all', async () => {
  const response = await admin.raw(`/api${exportAudit.path}?action=file.rename`)
  expect((await response.text()).match(/file\.rename/g)).toHaveLength(renames)
  const listed = await readJson(server, ['audit', '--action', 'file.rename', '--limit', String(renames + 1)])
  expect(numbersOf(listed as ChangeEvent[])).toEqual(allNumbers)
  const { stdout } = await runOn(server, ['admin', 'audit', '--csv', '--action', 'file.rename', '--limit', '2000'])
  expect(stdout.match(/file\.rename/g)).toHaveLength(2000)
})
