/** Backups written by hand whose few bytes hold many long texts or far ids: `--verify` tells them in little memory. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SavedRow } from '../../src/commands/backup/decode-rows.ts'
import { formatManifest, type Part } from '../../src/commands/backup/manifest.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { spawnOn } from './administration.ts'
import * as backups from './backups.ts'

const parts = 10
const rowsOfPart = 1000

let server: TestServer
let folder: string

beforeEach(async () => {
  server = await startServer()
  await buildFile(await buildUser(server), { name: 'a.bin' }, largeContent())
  folder = await backups.openFolder()
  await backups.backUp(server, folder)
})
afterEach(() => server.close())

async function addPart(rows: readonly SavedRow[]): Promise<Part> {
  const bytes = gzipSync(rows.map(row => `${JSON.stringify(row)}\n`).join(''), { level: 1 })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = backups.contentPath(folder, sha256)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  return { sha256, size: bytes.length, rows: rows.length }
}

/** Adds parts of rows like the table's first row. */
async function addRows(name: string, change: (row: SavedRow, number: number) => SavedRow): Promise<void> {
  const { digest: _digest, ...manifest } = { digest: '', ...(await backups.readManifest(folder)) }
  const table = manifest.tables.find(found => found.name === name)
  if (table === undefined) throw new Error(`the backup has no table ${name}`)
  const first = backups.contentPath(folder, table.parts[0]?.sha256 ?? '')
  const [row = ''] = gunzipSync(await readFile(first))
    .toString()
    .split('\n')
  for (let part = 0; part < parts; part += 1) {
    const numbers = Array.from({ length: rowsOfPart }, (_, at) => part * rowsOfPart + at)
    table.parts.push(await addPart(numbers.map(number => change(JSON.parse(row), number))))
    table.rows += rowsOfPart
  }
  await writeFile(join(folder, 'snapshots', `${manifest.snapshot}.json`), formatManifest(manifest))
}

const long = 'x'.repeat(40_000)

test.each<[what: string, table: string, change: (row: SavedRow, number: number) => SavedRow]>([
  ['ids', 'users', (row, number) => ({ ...row, id: `${number}${long}` })],
  ['names of columns', 'users', (row, number) => ({ ...row, [`${number}${long}`]: 1 })],
  ['hashes', 'blobs', (row, number) => ({ ...row, id: number + 1e6, sha256: `${number}${long}` })],
  ['keys', 'settings', (row, number) => ({ ...row, key: `${number}${long}` })],
])('long %s of %s are told by their beginning and number', async (_what, table, change) => {
  await addRows(table, change)
  const env = { NODE_OPTIONS: '--max-old-space-size=250' }
  const { code, stdout, stderr } = await spawnOn(server, ['backup', '--verify', folder, '--json'], '', env)
  expect({ code, stderr: stderr.slice(-500) }).toMatchObject({ code: 1 })
  const [{ problems, problem_count }] = JSON.parse(stdout).snapshots
  expect({ told: problems.length, count: problem_count }).toEqual({ told: 1000, count: expect.any(Number) })
  expect(problem_count).toBeGreaterThan(parts * rowsOfPart - 1)
})
