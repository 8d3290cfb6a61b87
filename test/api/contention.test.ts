/**
 * Many changes at the same time: to one name, of all kinds, and up to the quota. Nothing is lost, and counters stay
 * true.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, createFolder, favoriteFile, listFiles, moveFile, renameFile } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const many = <T>(count: number, one: (index: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => one(index)))

const stored = <T>(outcomes: PromiseSettledResult<T>[]): T[] =>
  outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
const refusals = (outcomes: PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.code ?? outcome.reason] : []))

const expectTrueCounters = async () => expect(await findMiscounts(server.deps.db)).toEqual([])
const listed = async (user: BuiltUser) => (await user.call(listFiles, { limit: 1000 })).files
const download = async (user: BuiltUser, id: number) =>
  Buffer.from(await (await user.raw(`/api/files/${id}/download`)).arrayBuffer())

/** Small and large contents by turns, because small ones share a write. */
const contentOf = (index: number) => (index % 2 === 0 ? randomBytes(500) : largeContent())

test('fifty uploads of one name at once are all stored, each with its own bytes and a number in its name', async () => {
  const user = await buildUser(server)
  const contents = Array.from({ length: 50 }, (_, index) => contentOf(index))
  const files = stored(await many(50, index => buildFile(user, { name: 'same.bin' }, contents[index])))
  const numbered = Array.from({ length: 49 }, (_, index) => `same (${index + 1}).bin`)
  expect(files.map(({ name }) => name).sort()).toEqual(['same.bin', ...numbered].sort())
  for (const [index, { id }] of files.entries()) expect(await download(user, id)).toEqual(contents[index])
  await expectTrueCounters()
})

test('of fifty uploads of one name with on_conflict=fail, one is stored and the others are refused', async () => {
  const user = await buildUser(server)
  const outcomes = await many(50, index => buildFile(user, { name: 'only.bin', on_conflict: 'fail' }, contentOf(index)))
  expect(stored(outcomes)).toHaveLength(1)
  expect(new Set(refusals(outcomes))).toEqual(new Set(['name_taken']))
  expect((await listed(user)).map(({ name }) => name)).toEqual(['only.bin'])
  await expectTrueCounters()
})

test('fifty uploads that replace each other leave one complete file', async () => {
  const user = await buildUser(server)
  const before = (await readHoldings(server)).keys.length
  const contents = Array.from({ length: 50 }, (_, index) => contentOf(index))
  const outcomes = await many(50, index =>
    buildFile(user, { name: 'last.bin', on_conflict: 'replace' }, contents[index]),
  )
  expect(refusals(outcomes)).toEqual([])
  const [file, ...others] = await listed(user)
  expect(others).toEqual([])
  const bytes = await download(user, file?.id ?? 0)
  expect(contents.some(content => content.equals(bytes))).toBe(true)
  expect((await user.call(getProfile, {})).storage_used).toBe(bytes.length)
  await expect.poll(async () => (await readHoldings(server)).keys.length).toBeLessThanOrEqual(before + 1)
  await expectTrueCounters()
})

test('of twenty uploads that together exceed the quota, those that fit are stored, and the usage never exceeds it', async () => {
  const size = 50_000
  const user = await buildUser(server, { storageQuota: 7 * size + size / 2 })
  let isOver = false
  const watch = async () => {
    const seen: number[] = []
    while (!isOver) seen.push((await user.call(getProfile, {})).storage_used)
    return Math.max(...seen)
  }
  const most = watch()
  const outcomes = await many(20, () => buildFile(user, {}, randomBytes(size)))
  isOver = true
  expect(await most).toBeLessThanOrEqual(7 * size)
  expect(stored(outcomes)).toHaveLength(7)
  expect(refusals(outcomes)).toEqual(Array.from({ length: 13 }, () => 'quota_exceeded'))
  expect((await user.call(getProfile, {})).storage_used).toBe(7 * size)
  await expectTrueCounters()
})

test('small uploads still succeed when large ones no longer fit the quota', async () => {
  const user = await buildUser(server, { storageQuota: 100_000 })
  const sizes = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 90_000 : 1000))
  const outcomes = await many(20, index => buildFile(user, {}, randomBytes(sizes[index] ?? 0)))
  const used = stored(outcomes).reduce((sum, file) => sum + file.size, 0)
  expect((await user.call(getProfile, {})).storage_used).toBe(used)
  expect(used).toBeLessThanOrEqual(100_000)
  expect(stored(outcomes).filter(file => file.size === 1000)).toHaveLength(10)
  expect(new Set(refusals(outcomes))).toEqual(new Set(['quota_exceeded']))
  await expectTrueCounters()
})

/** Errors that a write may get when another write came first. */
const rightly = new Set(['not_found', 'name_taken', 'would_cycle', 'not_trashed', 'quota_exceeded'])

test('two hundred mixed writes at once fail only where another came first, and all counters stay true', async () => {
  const user = await buildUser(server)
  const tag = await buildTag(user)
  const folders = [(await buildFolder(user)).id, (await buildFolder(user)).id, (await buildFolder(user)).id]
  const files = stored(await many(30, index => buildFile(user, {}, contentOf(index)))).map(({ id }) => id)
  const at = (list: readonly number[], index: number) => list[index % list.length] ?? 0
  const writes: ((index: number) => Promise<unknown>)[] = [
    index => buildFile(user, { name: `new ${index % 3}.bin`, parent_id: at(folders, index) }, contentOf(index)),
    index => buildFile(user, { name: 'replaced.bin', on_conflict: 'replace' }, contentOf(index)),
    index => user.call(moveFile, { id: at(files, index), parent_id: at(folders, index) }),
    index => user.call(moveFile, { id: at(folders, index), parent_id: at(folders, index + 1) }),
    index => user.call(renameFile, { id: at(files, index), name: `name ${index % 5}` }),
    index => user.call(trashFile, { id: at(files, index) }),
    index => user.call(restoreFile, { id: at(files, index) }),
    index => user.call(deleteFile, { id: at(files, index) }),
    index => user.call(copyFile, { id: at(index % 4 === 0 ? folders : files, index), parent_id: at(folders, index) }),
    index => user.call(createFolder, { name: `made ${index % 4}`, parent_id: at(folders, index) }),
    index => user.call(favoriteFile, { id: at(files, index), is_favorite: index % 2 === 0 }),
    index => user.call(tagFiles, { tag_id: tag.id, file_ids: [at(files, index)] }),
  ]
  const outcomes = await many(
    200,
    index => writes[index % writes.length]?.(Math.floor(index / writes.length)) ?? Promise.resolve(),
  )
  expect(refusals(outcomes).filter(code => !rightly.has(String(code)))).toEqual([])
  expect(stored(outcomes).length).toBeGreaterThan(60)
  for (const { id, size } of await listed(user)) expect((await download(user, id)).length).toBe(size)
  await expectTrueCounters()
})
