/** fsck of files that name no content, or another file's: it gives nobody another's bytes, and keeps what may be theirs. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyFile, getFile } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { expectTrueCounters, largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let bob: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server)
  bob = await buildUser(server)
  // So that ids are counted from above those of the tests.
  await spoilRows(
    server,
    "INSERT INTO blobs (id, `key`, place, size, sha256, created_at) VALUES (9000, 'none', 'store', 1, 'none', 1)",
    'DELETE FROM blobs WHERE id = 9000',
  )
})
afterEach(() => server.close())

const own = largeContent()
const foreign = Buffer.concat([largeContent(), Buffer.from('longer')])

async function contentOf(id: number): Promise<{ id: number; key: string; size: number }> {
  const query = 'SELECT b.id, b.`key`, b.size FROM blobs b JOIN files f ON f.blob_id = b.id WHERE f.id = $1'
  const row = await server.deps.db.row<{ id: number; key: string; size: number }>(query, [id])
  return row ?? expect.fail('a file without content')
}

/** A file whose content has a given id from now on. */
async function keep(user: BuiltUser, content: Buffer | string, blobId: number) {
  const { id } = await buildFile(user, {}, content)
  const old = (await contentOf(id)).id
  await spoilRows(
    server,
    `UPDATE blobs SET id = ${blobId} WHERE id = ${old}`,
    `UPDATE blob_bytes SET blob_id = ${blobId} WHERE blob_id = ${old}`,
    `UPDATE files SET blob_id = ${blobId} WHERE blob_id = ${old}`,
  )
  return { id, key: (await contentOf(id)).key }
}

const misname = (id: number, blobId: number) =>
  spoilRows(server, `UPDATE files SET blob_id = ${blobId} WHERE id = ${id}`)

async function download(user: BuiltUser, id: number) {
  const answer = await user.raw(`/api/files/${id}/download`)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The id that the file gets as its content's, and what the finding of that is. */
const wrongIds = [
  { to: 'no content', isThere: false, problem: 'file-without-content' },
  { to: 'the content of another', isThere: true, problem: 'file-size' },
]

test.each(wrongIds)('a file gets its content back if one bit of its id leads to $to', async ({ isThere, problem }) => {
  const { id } = await keep(ann, own, 5000)
  const wrong = 5000 ^ 1024
  if (isThere) await keep(bob, foreign, wrong)
  await misname(id, wrong)
  const found = await runFsck(server, '--hash')
  expect(found).toMatchObject({ code: 10, counts: { repairable: 1 } })
  expect(found.findings[0]).toMatchObject({ verdict: 'repairable', problem, file_id: id })
  expect(found.findings[0]?.detail).toContain('content 5000')
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0, counts: { repaired: 1, lost: 0 } })
  expect(await download(ann, id)).toEqual({ status: 200, bytes: own })
  expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
  await expectTrueCounters(server, ann)
})

test.each(wrongIds)('a file with any other id, of $to, is lost, and what may be its content stays', async wrong => {
  const { id, key } = await keep(ann, own, 5000)
  if (wrong.isThere) await keep(bob, foreign, 6001)
  const other = 'of no size that fits'
  const { id: gone } = await buildFile(bob, {}, other)
  await spoilRows(
    server,
    `DELETE FROM files WHERE id = ${gone}`,
    // Otherwise his storage would tell that this is a lost file's.
    `UPDATE spaces SET item_count = item_count - 1, storage_used = storage_used - ${other.length} WHERE owner_id = ${bob.id}`,
  )
  await misname(id, 6001)
  const repair = await runFsck(server, '--repair')
  const file = { verdict: 'lost', problem: wrong.problem, file_id: id, key, repaired: false }
  expect(repair.code).toBe(11)
  expect(repair.findings.find(({ file_id }) => file_id === id)).toMatchObject(file)
  expect(repair.findings.find(({ file_id }) => file_id === id)?.detail).toContain(
    `content 5000 (blobs/${key.slice(0, 2)}`,
  )
  expect(repair.findings.filter(({ problem }) => problem === 'content-unnamed')).toMatchObject([
    { verdict: 'ok', repaired: false },
    { verdict: 'ok', repaired: false },
  ])
  expect(await server.deps.store.size(key)).toBe(own.length)
  expect((await download(ann, id)).status).not.toBe(200)
  // Once the file is gone, the content is nobody's.
  await ann.call(trashFile, { id })
  await ann.call(deleteFile, { id })
  const after = await runFsck(server, '--repair')
  expect(after.findings.filter(({ problem }) => problem === 'content-unnamed')).toMatchObject([
    { repaired: true },
    { repaired: true },
  ])
  expect(await server.deps.store.size(key)).toBeNull()
})

test('the right bytes, uploaded in the place of a lost file, are its content again', async () => {
  const { id } = await keep(ann, own, 5000)
  await misname(id, 6001)
  await runFsck(server, '--repair')
  const { name } = (await ann.call(getFile, { id })).file
  const again = await buildFile(ann, { name, on_conflict: 'replace' }, own)
  expect(again.id).toBe(id)
  expect(await download(ann, id)).toEqual({ status: 200, bytes: own })
  expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
})

test('of two files or two contents of one size nothing is given back', async () => {
  const small = ['one', 'two']
  const first = await keep(ann, small[0] ?? '', 5000)
  const second = await keep(bob, small[1] ?? '', 5001)
  await misname(first.id, 5000 ^ 1024)
  await misname(second.id, 5001 ^ 1024)
  const both = await runFsck(server, '--repair')
  expect(both.counts).toMatchObject({ lost: 2, repaired: 0 })
  for (const { detail } of both.findings.filter(({ verdict }) => verdict === 'lost')) {
    expect(detail).toMatch(/content 5000 in the database, content 5001 in the database$/)
  }
  await bob.call(trashFile, { id: second.id })
  await bob.call(deleteFile, { id: second.id })
  expect((await runFsck(server, '--repair')).counts).toMatchObject({ lost: 1, repaired: 0 })
})

test('content that is damaged itself is not given back', async () => {
  const { id, key } = await keep(ann, own, 5000)
  await misname(id, 5000 ^ 1024)
  await server.deps.store.remove(key)
  expect((await runFsck(server, '--repair')).counts).toMatchObject({ lost: 1, repaired: 0 })
})

test('a wrong size is corrected also if the content has other files', async () => {
  const { id } = await buildFile(ann, {}, own)
  await ann.call(copyFile, { id, parent_id: null, name: 'copy.txt' })
  await spoilRows(server, `UPDATE files SET size = size + 8 WHERE id = ${id}`)
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0, counts: { repaired: 1 } })
  expect(await download(ann, id)).toEqual({ status: 200, bytes: own })
})

test('a size stays if the content is that of others, and may have been put in the place of a shared one', async () => {
  const { id } = await buildFile(ann, {}, own)
  await buildFile(bob, {}, own)
  const other = await buildFile(bob, {}, foreign)
  await misname(id, (await contentOf(other.id)).id)
  for (const args of [[], ['--repair']]) {
    expect(await runFsck(server, ...args)).toMatchObject({
      code: 11,
      findings: [{ verdict: 'lost', problem: 'file-size', file_id: id }],
    })
  }
  expect((await download(ann, id)).status).not.toBe(200)
})

test('the size of a content that is wrong in its own row alone is no finding of its files', async () => {
  const { id } = await buildFile(ann, {}, own)
  await buildFile(bob, {}, own)
  await spoilRows(server, `UPDATE blobs SET size = 7 WHERE id = ${(await contentOf(id)).id}`)
  expect(await runFsck(server)).toMatchObject({ code: 10, findings: [{ problem: 'content-row' }] })
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0, findings: [{ problem: 'content-row' }] })
  expect(await download(bob, id)).not.toMatchObject({ status: 200 })
  expect(await download(ann, id)).toEqual({ status: 200, bytes: own })
})
