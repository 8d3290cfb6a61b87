/** Manifests that are intact, but tell of other rows than a snapshot has: neither `--verify` nor `restore` takes them. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatManifest, type Manifest } from '../../src/commands/backup/manifest.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await buildFile(await buildUser(server))
})
afterAll(() => server.close())

type Table = Manifest['tables'][number]

const changes: [string, (events: Table) => Table][] = [
  ['a part twice', events => ({ ...events, rows: 2 * events.rows, parts: [...events.parts, ...events.parts] })],
  ['no part of a table that has rows', events => ({ ...events, parts: [] })],
  ['fewer rows than a part has', events => withRows(events, 1)],
  ['more rows than a part has', events => withRows(events, 1_000_000)],
  ['a negative number of rows', events => withRows(events, -1)],
]

/** As if the only part of a table had so many rows. */
const withRows = (table: Table, rows: number): Table => ({
  ...table,
  rows,
  parts: table.parts.map(part => ({ ...part, rows })),
})

test.each(changes)('%s is damage', async (_what, change) => {
  const folder = await backups.openFolder()
  expect(await runOn(server, ['backup', folder])).toMatchObject({ code: 0 })
  const [snapshot = ''] = await backups.listSnapshots(folder)
  const { digest: _digest, ...manifest } = { digest: '', ...(await backups.readManifest(folder, snapshot)) }
  const tables = manifest.tables.map(table => (table.name === 'events' ? change(table) : table))
  await writeFile(join(folder, 'snapshots', `${snapshot}.json`), formatManifest({ ...manifest, tables }))
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({ code: 1 })
  expect(await runOn(await backups.openSite(), ['restore', folder])).toMatchObject({ code: 1 })
  await rm(folder, { recursive: true })
})
