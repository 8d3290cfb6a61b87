/** Backups written by hand, with the right hashes, of which a part holds something else than rows, or too much. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildFile, buildUser } from '../support/factories.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
/** The backup that each test gets a copy of. */
let whole: string
let folder: string

beforeAll(async () => {
  server = await startServer()
  await buildFile(await buildUser(server), { name: 'a.txt' })
  whole = await mkdtemp(join(tmpdir(), 'filestore-backup-'))
  await backups.backUp(server, whole)
})
afterAll(async () => {
  await server.close()
  await rm(whole, { recursive: true, force: true })
})
beforeEach(async () => {
  folder = await backups.openFolder()
  await cp(whole, folder, { recursive: true })
})

const user = () => ({ id: 7, username: randomUUID() })
const linesOf = (rows: unknown[]) => gzipSync(rows.map(row => `${JSON.stringify(row)}\n`).join(''))

/** Gzip of a text many times, which zlib reads as one, and makes of one in a moment. */
const gzipMany = (text: string, count: number) => Buffer.concat(Array(count).fill(gzipSync(text)))

const parts = [
  {
    what: 'many bytes',
    bytes: () => gzipMany('\n'.repeat(1024 ** 2), 129),
    told: 'holds more than 128 MB of rows',
  },
  {
    what: 'a large row',
    bytes: () => Buffer.concat([gzipSync('{"id":['), gzipMany('[],'.repeat(600_000), 10), gzipSync('[]]}')]),
    told: 'holds a row of more than 16 MB',
  },
  { what: 'many rows', bytes: () => linesOf(Array.from({ length: 1001 }, user)), told: 'holds more than 1000 rows' },
  { what: 'no JSON', bytes: () => gzipSync('{"id":'), told: 'holds no rows' },
  {
    what: 'many columns',
    bytes: () => linesOf([Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`c${n}`, 1]))]),
    told: 'holds no rows',
  },
  { what: 'no gzip', bytes: () => Buffer.from('{}'), told: 'holds no rows' },
  { what: 'a list in place of a row', bytes: () => linesOf([[]]), told: 'holds no rows' },
  { what: 'null in place of a row', bytes: () => linesOf([null]), told: 'holds no rows' },
  { what: 'an object in a row', bytes: () => linesOf([{ id: { toString: 1 } }]), told: 'holds no rows' },
]

describe('a part with', () => {
  const plant = (bytes: Buffer) => backups.rewriteParts(folder, (table, own) => (table === 'blobs' ? bytes : own))

  test.each(parts)('$what is named as damaged', async ({ bytes, told }) => {
    await plant(bytes())
    const verified = await runOn(server, ['backup', '--verify', folder])
    expect(verified).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`rows of blobs: blobs/[0-9a-f]{64} ${told}`)),
    })
  })

  test.each(rounds(parts.slice(0, 4), parts))('$what is taken by no restore', async ({ bytes, told }) => {
    await plant(bytes())
    const restored = await runOn(await backups.openSite(), ['restore', folder])
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
    expect(restored.stderr).toContain('The rows of blobs are damaged')
  })
})

test('a table that no backup has is named, and left out', async () => {
  const secret = 'planted'.padEnd(64, '0')
  const row = { id: 9, user_id: 1, token_hash: secret, created_at: Date.now(), expires_at: Date.now() + 1e9 }
  await backups.addTable(folder, 'sessions', linesOf([row]), 1)
  const told = 'table sessions: no backup has it, and it is left out'
  expect((await runOn(server, ['backup', '--verify', folder])).stdout).toContain(told)
  const site = await backups.openSite()
  expect((await runOn(site, ['restore', folder])).stderr).toContain(told)
  expect(await backups.withDatabaseOf(site, db => db.rows('SELECT * FROM sessions'))).toEqual([])
})

test('a manifest or a list of snapshots that could fill the memory is named as damaged', async () => {
  const [snapshot] = await backups.listSnapshots(folder)
  await truncate(join(folder, 'snapshots', `${snapshot}.json`), 257 * 1024 ** 2)
  await truncate(join(folder, 'snapshots.txt'), 257 * 1024 ** 2)
  const { code, stdout } = await runOn(server, ['backup', '--verify', folder])
  expect({ code, told: stdout.match(/has more than 256 MB/g) }).toMatchObject({ code: 1, told: { length: 2 } })
})

/**
 * Changes the header of an entry of a tar file, and its sum (POSIX, ustar: octal, the size at 124, the sum at 148, the type
 * at 156). Returns the position of its content.
 */
function setHeader(tar: Buffer, name: string, { size, type }: { size?: number; type?: string }): number {
  const start = tar.indexOf(name)
  const header = tar.subarray(start, start + 512)
  if (size !== undefined) header.write(size.toString(8).padStart(11, '0'), 124)
  if (type !== undefined) header.write(type, 156)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return start + header.length
}

/** Writes a folder with one snapshot into a file, as `filestore backup` does, perhaps with another entry after it. */
async function packFolder(file: string, extra?: { name: string; type: string }): Promise<void> {
  const tar = pack()
  tar.entry({ name: 'README.txt' }, 'Backups of filestore, one in a file: by hand')
  for (const sha256 of await backups.listContents(folder)) {
    const bytes = await readFile(backups.contentPath(folder, sha256))
    tar.entry({ name: `blobs/${sha256.slice(0, 2)}/${sha256}` }, bytes)
  }
  const name = `snapshots/${await backups.listSnapshots(folder)}.json`
  tar.entry({ name }, await readFile(join(folder, name)))
  if (extra !== undefined) tar.entry({ name: extra.name }, 'extra')
  tar.finalize()
  const bytes = await buffer(tar)
  if (extra !== undefined) setHeader(bytes, extra.name, { type: extra.type })
  await writeFile(file, bytes)
}

test('a backup file with a part that holds no rows is named as damaged, and nothing of it is restored', async () => {
  await backups.rewriteParts(folder, (table, whole) => (table === 'blobs' ? Buffer.from('{}') : whole))
  const file = join(await backups.openFolder(), 'backup.tar')
  await packFolder(file)
  const told = /blobs\/[0-9a-f]{64} holds no rows of a table/
  expect(await runOn(server, ['backup', '--verify', file])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(told),
  })
  const site = await backups.openSite()
  const restored = await runOn(site, ['restore', file])
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringMatching(told) })
  expect(restored.stderr).toContain('nothing was restored')
  expect(existsSync(join(site.dataDir, 'storage'))).toBe(false)
})

test.each([
  ['a damaged content that nothing names', '0', 'has changed, although nothing names it'],
  ['a folder with bytes', '5', 'has bytes, and is no file'],
] as const)('a backup file with %s is damaged for --verify as for restore', async (_what, type, told) => {
  const file = join(await backups.openFolder(), 'backup.tar')
  await packFolder(file, { name: `blobs/aa/${'a'.repeat(64)}`, type })
  const verified = await runOn(server, ['backup', '--verify', file])
  expect([verified.code, verified.stdout + verified.stderr]).toEqual([1, expect.stringContaining(told)])
  const restored = await runOn(await backups.openSite(), ['restore', file])
  expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining('has ')])
})

test.each([
  ['README.txt', 17 * 1024, '16 KB'],
  ['secret.key', 17 * 1024, '16 KB'],
  ['snapshots/2026-05-31T170405.123Z.json', 257 * 1024 ** 2, '256 MB'],
])('a backup file whose %s could fill the memory is refused before it is read', async (name, size, most) => {
  const tar = pack()
  const label = 'Backups of filestore, one in a file: by hand'
  if (name !== 'README.txt') tar.entry({ name: 'README.txt' }, label)
  tar.entry({ name }, label)
  tar.finalize()
  const bytes = await buffer(tar)
  const content = setHeader(bytes, name, { size })
  const file = join(folder, 'backup.tar')
  await writeFile(file, bytes)
  // With the end of a tar file: 1024 zeros.
  await truncate(file, content + size + 1024)
  expect(await runOn(server, ['backup', '--verify', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${name} has more than ${most}`),
  })
})
