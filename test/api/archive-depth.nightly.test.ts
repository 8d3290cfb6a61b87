/** Archives of the deepest possible trees: every program reads them, and the server needs little memory for them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plantEntries } from '../bench/plant.ts'
import { listArchive, saveArchive } from '../support/archives.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const longName = 'd'.repeat(255)
const depth = 98
/** The path of the deepest folder in the archive. */
const longPath = `${longName}/`.repeat(depth - 1)

let server: TestServer
let user: BuiltUser
let top: number
let bottom: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  const ids: number[] = []
  for (let level = 0; level < depth; level++) ids.push((await buildFolder(user, longName, ids.at(-1) ?? null)).id)
  top = ids[0] ?? 0
  bottom = ids.at(-1) ?? 0
})
afterAll(() => server.close())

/** Memory in use after a garbage collection, in bytes. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Reads a body's first bytes, leaves the rest waiting, and returns the reader for the rest. */
async function readSome(response: Response, bytes: number) {
  const reader = response.body?.getReader()
  for (let left = bytes; left > 0; ) left -= (await reader?.read())?.value?.length ?? left
  return reader
}

describe('an archive of a deep tree', () => {
  test('names each item with its full path', async () => {
    const folder = await buildFolder(user, 'few', bottom)
    await plant(server, user, (db, owner) => plantEntries(db, owner, folder.id, 20, index => `leaf ${index}`))
    const file = await saveArchive(await user.raw(`/api/files/${top}/archive`))
    const names = (await listArchive(file)).map(({ name }) => name)
    expect(names).toHaveLength(depth - 1 + 1 + 20)
    expect(names).toEqual(expect.arrayContaining([longPath, `${longPath}few/leaf 0/`, `${longPath}few/leaf 19`]))
  })

  test('does not keep the path of each item in memory until its end', async () => {
    const count = 2000
    const folder = await buildFolder(user, longName, bottom)
    await plant(server, user, (db, owner) => plantEntries(db, owner, folder.id, count, index => `leaf ${index}`))
    const before = usedMemory()
    const response = await user.raw(`/api/files/${top}/archive`)
    const paths = count * longPath.length
    const rest = await readSome(response, paths)
    // Node frees the memory of buffers a while after it collects them, so poll.
    await expect.poll(() => usedMemory() - before).toBeLessThan(paths / 2)
    await rest?.cancel()
  })
})
