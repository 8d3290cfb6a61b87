/**
 * Damage to each part of a backup, in a folder and in one file: `--verify` and `restore` name it, and no damaged part
 * counts as complete.
 */
import { createReadStream, existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { flipByte } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string
/** SHA-256 of the content that is stored outside the database. */
let large: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', storageQuota: Number.MAX_SAFE_INTEGER })
  folder = await backups.openFolder()
  await buildFile(ann, { name: 'small.txt' }, Buffer.from('small'))
  large = (await buildFile(ann, { name: 'large.bin' }, largeContent())).sha256 ?? ''
})
afterEach(() => server.close())

const verify = (place: string) => runOn(server, ['backup', '--verify', place])

/** The parts of a backup folder, with the row files under the names of their tables. */
async function findParts(place: string): Promise<Map<string, string>> {
  const manifest = await backups.readManifest(place)
  const rows = manifest.tables.flatMap(({ name, parts }) => parts.map(({ sha256 }) => [name, sha256] as const))
  return new Map([...rows, ['content', large]])
}

/** Expects that both --verify and restore name the damage. */
async function expectNamed(place: string, words: string): Promise<void> {
  const verified = await verify(place)
  expect(verified.code).toBe(1)
  expect(verified.stdout + verified.stderr).toContain(words)
  const restored = await runOn(await backups.openSite(), ['restore', place])
  expect(restored.code).toBe(1)
  expect(restored.stderr).toContain(words)
}

describe('in a backup folder', { timeout: 240_000 }, () => {
  test('changed or missing row files, contents and manifests are named', async () => {
    await backups.backUp(server, folder)
    const parts = await findParts(folder)
    expect([...parts.keys()]).toEqual(expect.arrayContaining(['blob_bytes', 'blobs', 'events', 'files', 'users']))
    for (const [name, sha256] of parts) {
      const path = backups.contentPath(folder, sha256)
      const bytes = await readFile(path)
      await flipByte(path, Math.floor(bytes.length / 2))
      expect((await verify(folder)).stdout).toContain(`${sha256} has changed`)
      if (['blob_bytes', 'content', 'files'].includes(name)) await expectNamed(folder, sha256)
      await rm(path)
      expect((await verify(folder)).stdout).toContain(`${sha256} is missing`)
      if (name === 'blob_bytes') await expectNamed(folder, sha256)
      await writeFile(path, bytes)
    }
    expect((await verify(folder)).code).toBe(0)
    const [snapshot = ''] = await backups.listSnapshots(folder)
    const path = join(folder, 'snapshots', `${snapshot}.json`)
    await flipByte(path, Math.floor((await readFile(path)).length / 2))
    await expectNamed(folder, 'is damaged')
  })

  test('small files are named when the row file that holds them has changed', async () => {
    await backups.backUp(server, folder)
    const sha256 = (await findParts(folder)).get('blob_bytes') ?? ''
    await flipByte(backups.contentPath(folder, sha256), 20)
    const { code, stdout } = await verify(folder)
    expect(code).toBe(1)
    expect(stdout).toContain(`rows of blob_bytes: blobs/${sha256} has changed`)
    expect(stdout).toMatch(/small\.txt \(id:\d+\): [0-9a-f]{64} is missing/)
  })
})

interface Entry {
  name: string
  /** The position in the file where its content begins. */
  start: number
  size: number
}

async function findEntries(file: string): Promise<Entry[]> {
  const found: Entry[] = []
  const entries = createReadStream(file).pipe(extract())
  for await (const entry of entries) {
    found.push({ name: entry.header.name, start: (entry.offset ?? 0) + 512, size: entry.header.size ?? 0 })
    entry.resume()
  }
  return found
}

describe('in a backup file', { timeout: 240_000 }, () => {
  test('changed rows, contents, manifest and label are named, and nothing is restored', async () => {
    const file = join(folder, 'backup.tar')
    await backups.backUp(server, file)
    const entries = await findEntries(file)
    expect(entries.length).toBeGreaterThan(10)
    // What it says to people is not read.
    for (const { name, start, size } of entries.filter(entry => entry.name !== 'README.txt')) {
      const position = start + Math.floor(size / 2)
      await flipByte(file, position)
      const verified = await verify(file)
      expect(verified.code).not.toBe(0)
      expect(verified.stdout + verified.stderr).toContain(name.startsWith('blobs/') ? name.slice(9) : 'backup')
      const site = await backups.openSite()
      const restored = await runOn(site, ['restore', file])
      expect(restored.code).not.toBe(0)
      expect(restored.stderr).toContain(file)
      expect(existsSync(join(site.dataDir, 'storage'))).toBe(false)
      await flipByte(file, position)
    }
    expect((await verify(file)).code).toBe(0)
  })
})
