/** fsck of unfinished uploads: rows that would make half a file, or destroy somebody's. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { finishInterrupted } from '../../src/uploads/expiry.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, discard, idOf, patch } from '../support/tus.ts'
import { runFsck } from './fsck-run.ts'

const bytes = randomBytes(100_000)

let server: TestServer
let user: BuiltUser
beforeEach(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterEach(async () => {
  expect(await findMiscounts(server.deps.db)).toEqual([])
  await server.close()
})

const begin = () => beginUpload(user, { length: bytes.length, body: bytes.subarray(0, 1000) })

test.each(['whole', 'failed', 'done'])(
  'an upload that is said to be %s, but lacks bytes, is named and removed',
  async state => {
    const id = idOf(await begin())
    await spoilRows(server, `UPDATE uploads SET state = '${state}' WHERE id = '${id}'`)
    const found = await runFsck(server, '--repair')
    expect(JSON.stringify(found)).toContain(id)
    expect(await server.deps.db.row('SELECT id FROM uploads WHERE id = $1', [id])).toBeUndefined()
    expect((await runFsck(server)).findings).toEqual([])
  },
)

test('the server makes no file of an upload that is said to be whole, but lacks bytes', async () => {
  const id = idOf(await begin())
  await spoilRows(server, `UPDATE uploads SET state = 'whole' WHERE id = '${id}'`)
  await finishInterrupted(server.deps, new AbortController().signal)
  expect(await server.deps.db.row('SELECT id FROM files')).toBeUndefined()
})

test('an upload whose bytes are those of a file is named, and neither bytes nor its end destroy the file', async () => {
  const other = await buildUser(server)
  const file = await buildFile(other, {}, bytes)
  const [key] = (await readHoldings(server)).keys
  const addresses = [await begin(), await begin()]
  for (const [index, address] of addresses.entries()) {
    await spoilRows(server, `UPDATE uploads SET blob_key = NULL WHERE id <> '${idOf(address)}'`)
    await spoilRows(server, `UPDATE uploads SET blob_key = '${key}' WHERE id = '${idOf(address)}'`)
    if (index === 0) {
      expect((await patch(user, address, 1000, bytes.subarray(1000))).status).toBe(404)
      expect((await discard(user, address)).status).toBe(204)
    } else expect(JSON.stringify(await runFsck(server, '--repair'))).toContain(idOf(address))
    const read = await other.raw(`/api/files/${file.id}/download`)
    expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes)
  }
})
