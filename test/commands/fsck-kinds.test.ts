/** Values of another kind than their column's, which SQLite takes: bytes that became text, and text that is not UTF-8. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildTag, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import { openFolder } from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let user: BuiltUser
beforeEach(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterEach(() => server.close())

test('small contents that became text are sent as they were, and an equal upload brings the bytes back', async context => {
  onlyOn('sqlite', context)
  const { id } = await buildFile(user, {}, 'sent as before')
  const ofFile = `blob_id = (SELECT blob_id FROM files WHERE id = ${id})`
  await spoilRows(server, `UPDATE blob_bytes SET bytes = CAST(bytes AS TEXT) WHERE ${ofFile}`)
  const part = await user.raw(`/api/files/${id}/download`, { headers: { range: 'bytes=5-6' } })
  expect([part.status, await part.text()]).toEqual([206, 'as'])
  await buildFile(user, { name: 'again.txt' }, 'sent as before')
  const rows = await server.deps.db.rows(`SELECT bytes FROM blob_bytes WHERE ${ofFile}`)
  expect(rows).toEqual([{ bytes: Buffer.from('sent as before') }])
})

test('small contents that became text are named, and bytes again after a repair', async context => {
  onlyOn('sqlite', context)
  await expect.poll(() => server.deps.store.readMark()).not.toBeNull()
  const contents = [Buffer.from('plain'), Buffer.from('Ärger'), Buffer.from([0xff, 0, 0x80, 7])]
  const files: number[] = []
  for (const content of contents) files.push((await buildFile(user, {}, content)).id)
  const { id: lost } = await buildFile(user, {}, 'lost')
  const ofFile = (id: number) => `blob_id = (SELECT blob_id FROM files WHERE id = ${id})`
  await spoilRows(
    server,
    ...files.map(id => `UPDATE blob_bytes SET bytes = CAST(bytes AS TEXT) WHERE ${ofFile(id)}`),
    `UPDATE blob_bytes SET bytes = 'LOST' WHERE ${ofFile(lost)}`,
  )
  // A backup has what the text spells, as far as it is UTF-8.
  const folder = await openFolder()
  expect(JSON.parse((await runOn(server, ['backup', folder, '--json'])).stdout)).toMatchObject({ lost_count: 2 })
  const [snapshot] = JSON.parse((await runOn(server, ['backup', '--verify', folder, '--json'])).stdout).snapshots
  expect(snapshot.problems.filter((problem: string) => /has (changed|\d+ bytes)/.test(problem))).toHaveLength(2)
  const found = await runFsck(server)
  const said = found.findings.map(({ verdict, problem }) => `${verdict} ${problem}`)
  expect(said).toEqual([...contents.map(() => 'repairable content-as-text'), 'lost content-as-text'])
  const repaired = await runFsck(server, '--repair')
  expect(repaired.counts).toMatchObject({ repaired: 3, lost: 1 })
  for (const [at, id] of files.entries()) {
    const [row] = await server.deps.db.rows(`SELECT bytes FROM blob_bytes WHERE ${ofFile(id)}`)
    expect(row).toEqual({ bytes: contents[at] })
  }
})

test('text that is not UTF-8 is named by a backup and by fsck, and is what was read of it after a repair', async context => {
  onlyOn('sqlite', context)
  await expect.poll(() => server.deps.store.readMark()).not.toBeNull()
  await buildTag(user)
  await buildFile(user, { name: 'a real \uFFFD.txt' })
  const texts = { users: 'full_name', tags: 'name' }
  for (const [table, column] of Object.entries(texts)) {
    await spoilRows(
      server,
      `UPDATE ${table} SET ${column} = CAST(X'41ff42' AS TEXT) WHERE id = (SELECT MAX(id) FROM ${table})`,
    )
  }
  const [ofUser, ofTag] = [expect.stringMatching(/^users \d+/), expect.stringMatching(/^tags \d+/)]
  const { findings } = await runFsck(server)
  expect(findings).toMatchObject([
    { verdict: 'repairable', name: ofTag, detail: 'its name is not UTF-8, and is read with \uFFFD for what is not' },
    {
      verdict: 'repairable',
      name: ofUser,
      detail: 'its full_name is not UTF-8, and is read with \uFFFD for what is not',
    },
  ])
  const folder = await openFolder()
  for (const args of [
    ['backup', folder],
    ['backup', '--verify', folder],
  ]) {
    const { code, stdout, stderr } = await runOn(server, args)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('its full_name is not UTF-8')
    expect(stdout + stderr).toContain('its name is not UTF-8')
  }
  expect((await runFsck(server, '--repair')).counts).toMatchObject({ repaired: 2, lost: 0 })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  expect(await runOn(server, ['backup', folder])).toMatchObject({ code: 0 })
})
