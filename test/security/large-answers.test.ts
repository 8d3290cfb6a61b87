/** Large answers take little memory: they are cut to pages, serialised in pieces, and each user's are few at once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { maxCommentLength, maxFileTags, maxPageBytes, maxTagNameLength } from '../../src/api/limits.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { readPeakMemory, readSettledMemory } from '../bench/memory-of.ts'
import type { Owner } from '../bench/place.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { onlyOn } from '../support/only-on.ts'
import { readPages } from '../support/pages.ts'
import { onlyNightly } from '../support/rounds.ts'
import { requestHead, sendUnread } from '../support/wire.ts'

const password = 'given by the environment'
/** MB above the memory at rest. */
const mostMemory = 150
const parallel = 20
const items = 1500
/** Characters that JSON writes as they are, and for which a text takes two bytes per character in memory. */
const comment = '評'.repeat(maxCommentLength)
const longName = (n: number) => `leaf ${n} ${'"'.repeat(240)}`.slice(0, 250)

let dataDir: string
let server: ServeProcess
let admin: TestClient
let folder: number
/** A folder of items with as many tags as an item can have, each with the longest name. */
let tagged: number

/** A folder at the end of a long path, whose items have the longest names and comments, and ten tags each. */
async function plantLong(db: Database, owner: Owner): Promise<number> {
  let parent: number | null = null
  for (let depth = 0; depth < 4; depth++) parent = await plantFolder(db, owner, parent, '"'.repeat(250))
  const last = parent ?? expect.fail()
  await plantEntries(db, owner, last, items, longName)
  await db.change('UPDATE files SET validation_comment = $1, is_favorite = 1 WHERE parent_id = $2', [comment, last])
  await plantTags(db, owner, last, 10, '"'.repeat(40))
  return last
}

/** Adds new tags to all items of a folder. */
async function plantTags(db: Database, owner: Owner, folderId: number, count: number, text: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    const name = `${n} ${text}`.slice(0, maxTagNameLength)
    const tag = await db.insert(db.tags, { owner_id: owner.userId, name, color: '#3B82F6' })
    await db.change('INSERT INTO file_tags (file_id, tag_id) SELECT id, $1 FROM files WHERE parent_id = $2', [
      tag,
      folderId,
    ])
  }
}

async function plantTagged(db: Database, owner: Owner): Promise<number> {
  const id = await plantFolder(db, owner, null, 'tagged')
  await plantEntries(db, owner, id, items)
  await plantTags(db, owner, id, maxFileTags, 'x'.repeat(maxTagNameLength))
  return id
}

beforeEach(context => onlyOn('sqlite', context))
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-large-'))
  const serve = () => serveBinary(['--data-dir', dataDir], { FILESTORE_ADMIN_PASSWORD: password })
  await (await serve()).stop()
  const db = await openDatabase(readConfig({ dataDir }, {}).database)
  folder = await db.write(systemActor, async record => {
    record.nothing()
    const owner = await db.row<Owner>('SELECT owner_id AS userId, id AS spaceId FROM spaces')
    tagged = await plantTagged(db, owner ?? expect.fail())
    return plantLong(db, owner ?? expect.fail())
  })
  await db.close()
  server = await serve()
  admin = await signIn(server.url, 'admin', password)
})
afterAll(async () => {
  await server.stop('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** Reads an answer without keeping it; returns its number of bytes. */
async function drain(path: string): Promise<number> {
  const response = await admin.raw(path)
  expect(response.status).toBe(200)
  let bytes = 0
  for await (const piece of response.body ?? []) bytes += piece.length
  return bytes
}

const search = '/api/files/search?q=leaf&limit=1000'

test('20 large lists of one user at once take less than 150 MB', async context => {
  onlyNightly(context)
  const pid = server.child.pid ?? expect.fail()
  await admin.call(listFiles, {})
  const rest = await readSettledMemory(pid)
  const bytes: number[] = []
  const peak = await readPeakMemory(pid, async () => {
    for (const list of [`/api/files?parent_id=${folder}&limit=1000`, search, '/api/files/favorites?limit=1000']) {
      bytes.push(...(await Promise.all(Array.from({ length: parallel }, () => drain(list)))))
    }
  })
  expect(Math.min(...bytes)).toBeGreaterThan(5_000_000)
  expect(peak - rest).toBeLessThan(mostMemory)
})

test('20 lists at once of items with 100 tags each take less than 150 MB', async () => {
  const pid = server.child.pid ?? expect.fail()
  await admin.call(listFiles, {})
  const rest = await readSettledMemory(pid)
  const bytes: number[] = []
  const peak = await readPeakMemory(pid, async () => {
    for (const list of [`/api/files?parent_id=${tagged}`, '/api/files/search?q=report']) {
      bytes.push(...(await Promise.all(Array.from({ length: parallel }, () => drain(list)))))
    }
  })
  expect(Math.min(...bytes)).toBeGreaterThan(2_500_000)
  expect(peak - rest).toBeLessThan(mostMemory)
})

test('a page of items ends where they take 6 MB, whatever fills them, and its cursor leads to the rest', async () => {
  const { entries, sizes } = await readPages(async cursor => {
    const { files, folders, next_cursor } = await admin.call(listFiles, { parent_id: folder, cursor })
    expect(JSON.stringify(files).length).toBeLessThan(maxPageBytes)
    return { entries: [...folders, ...files], next_cursor }
  })
  expect(sizes.length).toBeGreaterThan(1)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  expect(entries).toHaveLength(items)
})

test('searches whose answers nobody reads keep nobody from searching', async () => {
  for (let n = 0; n < 3; n++) await sendUnread(server.url, requestHead(server.url, 'GET', search, admin.headers))
  expect(await drain(search)).toBeGreaterThan(5_000_000)
})
