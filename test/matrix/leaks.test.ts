/**
 * No answer contains another user's or trashed items: the test plants names and bytes and searches every answer for
 * them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyFile, favoriteFile, listFavorites, listFiles } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { createTag, listTags, tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import type { Input } from './build-input.ts'
import { expectations, type State, states } from './expectations.ts'
import { inputs } from './inputs.ts'
import { endpointOf, sendCall } from './send.ts'
import { buildWorld, type Caller, unique, type World } from './world.ts'

/** A part of every planted name, so that one search finds all of them. */
const mark = `planted${unique()}`
const needles: Record<State | 'tag', string> = {
  live: `${mark}-live`,
  trashed: `${mark}-trashed`,
  pending: `${mark}-pending`,
  rejected: `${mark}-rejected`,
  tag: `${mark}-tag`,
}

/** What a reviewer may see of another user's files. The audit log names every item, and only administrators see it. */
const forReviewers: Record<string, readonly State[]> = {
  getFile: ['pending', 'rejected'],
  downloadFile: ['pending', 'rejected'],
  previewFile: ['pending', 'rejected'],
  listPending: ['pending'],
}
const logs = ['listAudit', 'exportAudit']
/** Rows that would change the planted items, or end the callers' sessions. */
const left = ['decideFile', 'login', 'logout', 'changePassword']

let server: TestServer
let world: World
let planted: Record<State, FileDetails>

async function plant(user: BuiltUser, state: State, tagId: number): Promise<FileDetails> {
  const file = await buildFile(user, { name: `${needles[state]}.txt` }, `bytes: ${needles[state]}`)
  await user.call(tagFiles, { tag_id: tagId, file_ids: [file.id] })
  await user.call(favoriteFile, { id: file.id, is_favorite: true })
  if (state === 'pending') return file
  const status = state === 'rejected' ? 'rejected' : 'approved'
  await world.admin.client.call(decideFile, { file_id: file.id, status })
  if (state === 'trashed') await user.call(trashFile, { id: file.id })
  return file
}

beforeAll(async () => {
  server = await startServer()
  world = await buildWorld(server)
  const { user } = world.owner
  const { tag } = await user.call(createTag, { name: needles.tag, color: '#3B82F6' })
  const files = []
  for (const state of states) files.push([state, await plant(user, state, tag.id)])
  planted = Object.fromEntries(files) as Record<State, FileDetails>
})
afterAll(() => server.close())

/** The input of a row; a search looks for the planted names. */
async function inputOf(row: string, caller: Caller, of: BuiltUser, item: FileDetails): Promise<Input> {
  const input = (await inputs[row]?.({ world, caller, of, item })) ?? {}
  return 'q' in input ? { ...input, q: mark } : input
}

/** The needles that the answer contains. */
async function findNeedles(caller: Caller, name: string, input: Input): Promise<string[]> {
  const response = await sendCall(caller.client, endpointOf(name), input)
  const bytes = Buffer.concat([
    Buffer.from(await response.arrayBuffer()),
    Buffer.from(JSON.stringify([...response.headers])),
  ])
  return Object.entries(needles).flatMap(([needle, text]) => (bytes.includes(text) ? [needle] : []))
}

/** One row for each call about users and roles, because their other rows differ in permissions, not in the answer. */
const rows = expectations.filter(({ name, row, alone }) => !left.includes(name) && (row === name || alone.length === 0))

/** Makes every call that a caller may make, on the caller's own items and on each planted item. */
async function findLeaks(caller: Caller, mayShow: Record<string, readonly State[]>): Promise<string[]> {
  const leaks: string[] = []
  for (const { row, name, own } of rows) {
    const build = own.length > 1 ? world.newItem : world.item
    const item = await build(caller.user, own.length === 2 ? 'folder' : 'file', 'live')
    const tries: [string, Input][] = [['own', await inputOf(row, caller, caller.user, item)]]
    // A row without an item has no states.
    for (const state of own.length === 1 ? states.slice(0, 1) : states) {
      tries.push([state, await inputOf(row, caller, world.owner.user, planted[state])])
    }
    const findIn = async ([target, input]: [string, Input]) =>
      (await findNeedles(caller, name, input))
        .filter(needle => !mayShow[name]?.includes(needle as State))
        .map(needle => `${row} on ${target} shows ${needle}`)
    leaks.push(...(await Promise.all(tries.map(findIn))).flat())
  }
  return leaks
}

describe('another user’s items', () => {
  test('are in no answer to a plain user, or to a plain user’s key', async () => {
    expect(await findLeaks(world.other, {})).toEqual([])
  })

  test('are in no answer to a reviewer except while they are pending or rejected, and their tags never are', async () => {
    expect(await findLeaks(world.reviewer, forReviewers)).toEqual([])
  })

  test('are in no answer to an administrator except the audit log', async () => {
    const leaks = await findLeaks(world.admin, forReviewers)
    expect(leaks.filter(leak => !logs.some(log => leak.startsWith(log)))).toEqual([])
    for (const log of logs) expect(leaks.some(leak => leak.startsWith(log))).toBe(true)
  })

  test('are each in some answer to their owner, so this test can find them', async () => {
    const seen = new Set<string>()
    for (const name of ['listFiles', 'listTrash', 'listTags', 'searchFiles', 'listFavorites']) {
      const found = await findNeedles(world.owner, name, name === 'searchFiles' ? { q: mark } : {})
      for (const needle of found) seen.add(needle)
    }
    expect([...seen].sort()).toEqual(Object.keys(needles).sort())
  })
})

describe('trashed items', () => {
  test('are in no answer to their owner except the trash and the calls that restore or delete', async () => {
    const leaks: string[] = []
    const takesOut = ['listTrash', 'restoreFile', 'deleteFile', 'batchFiles']
    for (const { row, name } of rows.filter(entry => !takesOut.includes(entry.name))) {
      for (const item of [planted.trashed, planted.live]) {
        const input = await inputOf(row, world.owner, world.owner.user, item)
        const changes = endpointOf(name).method !== 'GET' && name !== 'archiveItems'
        if (changes && item === planted.live) continue
        if ((await findNeedles(world.owner, name, input)).includes('trashed')) leaks.push(row)
      }
    }
    expect(leaks).toEqual([])
  })

  test('are in no count, and in no copy or ZIP file of their folder', async () => {
    const user = await buildUser(server)
    const caller: Caller = { ...world.owner, user, client: user }
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: `${needles.trashed}.txt`, parent_id: folder.id }, needles.trashed)
    const { tag } = await user.call(createTag, { name: 'tag', color: '#3B82F6' })
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(favoriteFile, { id: file.id, is_favorite: true })
    await user.call(trashFile, { id: file.id })
    const copy = (await user.call(copyFile, { id: folder.id })).file

    expect((await user.call(listTags, {})).tags).toMatchObject([{ file_count: 0 }])
    expect(await user.call(getFileStats, {})).toMatchObject({ total_files: 0, by_kind: [], recent_files: [] })
    expect(await user.call(listFavorites, {})).toMatchObject({ files: [], total: 0 })
    expect(await user.call(searchFiles, { q: mark })).toMatchObject({ files: [], total: 0 })
    for (const { id } of [folder, copy]) {
      expect(await user.call(listFiles, { parent_id: id })).toMatchObject({ files: [], total: 0 })
      expect(await findNeedles(caller, 'archiveFolder', { id })).toEqual([])
      expect(await findNeedles(caller, 'archiveItems', { ids: [id] })).toEqual([])
    }
  })
})
