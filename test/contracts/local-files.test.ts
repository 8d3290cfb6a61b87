/** The contract of a store with files on this machine; the same tests run on each kind of such a store. */
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { big, chunks, listKeys, localKinds, type OpenedLocalStore, readAll } from './stores.ts'

describe.each(Object.entries(localKinds))('the files of the %s store', (_kind, openStore) => {
  let opened: OpenedLocalStore
  let store: OpenedLocalStore['store']

  beforeEach(async () => {
    opened = await openStore()
    store = opened.store
  })
  afterEach(() => opened.close())

  test('are found by their keys, so other keys can adopt them', async () => {
    const [one, other] = [newBlobKey(), newBlobKey()]
    await store.put(one, chunks(big))
    await store.local.adopt(other, store.local.fileOf(one), 'link')
    await store.remove(one)
    expect((await readAll(store, other)).equals(big)).toBe(true)
  })

  test('are made readable for their group on request, and only when they are complete', async () => {
    const [key, other] = [newBlobKey(), newBlobKey()]
    for (const each of [key, other]) await store.put(each, chunks(big))
    const file = store.local.fileOf(key)
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    for (const size of [0, big.length - 1, big.length + 1]) expect(await store.local.share(key, size)).toBeNull()
    expect(await store.local.share(newBlobKey(), big.length)).toBeNull()
    expect(await modeOf(file)).toBe(0o600)
    for (const _ of ['first', 'again']) {
      const place = await store.local.share(key, big.length)
      expect(place).not.toBeNull()
      expect(file.endsWith(`/${place}`)).toBe(true)
      expect(await modeOf(file)).toBe(0o640)
    }
    expect(await modeOf(store.local.fileOf(other))).toBe(0o600)
  })

  test('are on a disk whose free and total bytes the store returns', async () => {
    const { free, total } = await store.local.space()
    expect([free, total].every(Number.isSafeInteger)).toBe(true)
    expect(free).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(free)
  })

  test('keep the group permission when their bytes are replaced, and do not gain it', async () => {
    const [key, draft, other] = [newBlobKey(), newBlobKey(), newBlobKey()]
    for (const each of [key, draft, other]) await store.put(each, chunks(big))
    await store.local.share(key, big.length)
    await store.replace(key, draft)
    expect((await stat(store.local.fileOf(key))).mode & 0o777).toBe(0o640)
    await store.replace(key, other)
    expect((await stat(store.local.fileOf(key))).mode & 0o777).toBe(0o640)
    const [fresh, newer] = [newBlobKey(), newBlobKey()]
    for (const each of [fresh, newer]) await store.put(each, chunks(big))
    await store.replace(fresh, newer)
    expect((await stat(store.local.fileOf(fresh))).mode & 0o777).toBe(0o600)
  })

  describe('adopting a file of this machine', () => {
    let folder: string
    beforeEach(async () => {
      // The test's folder is on the store's file system, because files can share blocks only within one file system.
      folder = await mkdtemp(join(tmpdir(), 'filestore-adopt-'))
    })
    afterEach(() => rm(folder, { recursive: true, force: true }))

    test.each(['reflink', 'link'] as const)('by %s stores the file’s bytes, or leaves nothing', async mode => {
      const path = join(folder, 'file')
      await writeFile(path, big)
      const key = newBlobKey()
      const failure = await store.local.adopt(key, path, mode).catch((error: Error) => error)
      expect(await listKeys(store)).toEqual(failure === undefined ? [key] : [])
      if (failure === undefined) expect((await readAll(store, key)).equals(big)).toBe(true)
      expect((await readFile(path)).equals(big)).toBe(true)
    })

    test('gives the group no permission while the file has another hard link', async () => {
      const [path, key] = [join(folder, 'file'), newBlobKey()]
      await writeFile(path, big, { mode: 0o600 })
      await store.local.adopt(key, path, 'link')
      expect(await store.local.share(key, big.length)).toBeNull()
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      await rm(path)
      expect(await store.local.share(key, big.length)).not.toBeNull()
    })

    test.each(['reflink', 'link'] as const)(
      'by %s refuses a symbolic link, a folder, and an existing key',
      async mode => {
        const [key, path] = [newBlobKey(), join(folder, 'file')]
        await writeFile(path, 'second')
        await symlink(path, join(folder, 'link'))
        await store.put(key, chunks(Buffer.from('first')))
        await expect(store.local.adopt(key, path, mode)).rejects.toThrow()
        expect((await readAll(store, key)).toString()).toBe('first')
        await expect(store.local.adopt(newBlobKey(), folder, mode)).rejects.toThrow()
        if (mode === 'link') await expect(store.local.adopt(newBlobKey(), join(folder, 'link'), mode)).rejects.toThrow()
        expect(await listKeys(store)).toEqual([key])
      },
    )
  })

  test('are below one folder, and foreign files among them are listed', async () => {
    const key = newBlobKey()
    await store.put(key, chunks(big))
    const file = store.local.fileOf(key)
    expect(file.startsWith(`${store.local.folder}/`)).toBe(true)
    await writeFile(`${file}.notes`, 'notes')
    const strangers: string[] = []
    for await (const name of store.local.listStrangers()) strangers.push(name)
    expect(strangers.map(name => `${key}.notes`.endsWith(name.slice(-40)))).toEqual([true])
    expect(await listKeys(store)).toEqual([key])
  })
})
