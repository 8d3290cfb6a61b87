/**
 * The limit of metadata for a file, and the minimum of free space, which also bounds metadata because no quota counts
 * it.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyFile, getFile, setFileMetadata } from '../../src/api/files.ts'
import { maxMetadataBytes, maxMetadataValueLength } from '../../src/api/limits.ts'
import type { MetadataField } from '../../src/api/metadata.ts'
import { searchFiles } from '../../src/api/search.ts'
import { fold } from '../../src/db/fold.ts'
import { runOn } from '../commands/administration.ts'
import { openFolder } from '../commands/backups.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, watchLeast } from '../support/small-disk.ts'
import type { TestServer } from '../support/test-server.ts'

const megabyte = 1024 ** 2
/** A character of three bytes, which search folds to eighteen letters. */
const phrase = '\ufdfa'

async function buildFields(server: TestServer, count: number): Promise<MetadataField[]> {
  const admin = await buildUser(server, { role: 'admin' })
  const fields: MetadataField[] = []
  while (fields.length < count) fields.push(await buildField(admin, { field_type: 'textarea' }))
  return fields
}

/** Gives files values that exceed the limit, as older versions of the server allowed. */
const plantValues = (
  server: TestServer,
  user: BuiltUser,
  field: MetadataField,
  ids: readonly number[],
  value: string,
) =>
  plant(server, user, async db => {
    for (const file_id of ids) {
      await db.insertAll(db.fileMetadata, [{ file_id, field_id: field.id, value, value_folded: fold(value) }])
    }
  })

describe('all metadata of a file', () => {
  let server: TestServer
  let user: BuiltUser
  let fields: MetadataField[]
  beforeAll(async () => {
    server = await startServer()
    fields = await buildFields(server, 4)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    user = await buildUser(server)
  })

  const entry = (index: number, value: string) => ({ field_id: fields[index]?.id ?? 0, value })
  const refusedOn = (index: number) => ({
    status: 400,
    code: 'invalid_input',
    fields: { [fields[index]?.name ?? '']: expect.stringMatching(/all metadata of a file may take 64 KB together/) },
  })
  const longest = 'x'.repeat(maxMetadataValueLength)
  const set = (id: number, ...metadata: ReturnType<typeof entry>[]) => user.call(setFileMetadata, { id, metadata })
  const valuesOf = async (id: number) =>
    (await user.call(getFile, { id })).file.metadata.map(({ value }) => value.length)

  test('allows the longest value, in any script', async () => {
    const { id } = await buildFile(user, { metadata: [entry(0, '語'.repeat(maxMetadataValueLength))] })
    expect(await valuesOf(id)).toEqual([maxMetadataValueLength])
  })

  test('is limited to 64 KB together, in an upload or later, at once or one by one', async () => {
    const four = [0, 1, 2, 3].map(index => entry(index, longest))
    await expect(buildFile(user, { metadata: four })).rejects.toMatchObject(refusedOn(3))
    await expect(buildFile(user, { metadata: four }, 'x'.repeat(100_000))).rejects.toMatchObject(refusedOn(3))
    const name = 'kept.txt'
    const { id } = await buildFile(user, { name, metadata: four.slice(0, 3) })
    await expect(set(id, ...four)).rejects.toMatchObject(refusedOn(3))
    await expect(set(id, entry(3, longest))).rejects.toMatchObject(refusedOn(3))
    await expect(
      buildFile(user, { name, on_conflict: 'replace', metadata: [entry(3, longest)] }),
    ).rejects.toMatchObject(refusedOn(3))
    const left = (maxMetadataBytes - 3 * 2 * maxMetadataValueLength) / 2
    await set(id, entry(3, 'x'.repeat(left)))
    await expect(set(id, entry(3, 'x'.repeat(left + 1)))).rejects.toMatchObject(refusedOn(3))
    await set(id, entry(0, ''), entry(3, longest))
    expect(await valuesOf(id)).toEqual([longest, longest, longest].map(({ length }) => length))
  })

  test('counts with its folded form for search', async () => {
    const { id } = await buildFile(user)
    await expect(set(id, entry(1, phrase.repeat(maxMetadataValueLength)))).rejects.toMatchObject(refusedOn(1))
    await expect(set(id, entry(1, phrase.repeat(2500)))).rejects.toMatchObject(refusedOn(1))
    expect(await valuesOf(id)).toEqual([])
  })

  test('over the limit, from an older version, can be read, found, copied and reduced, but not increased', async () => {
    const file = await buildFile(user, { name: 'larger.txt' })
    const value = phrase.repeat(maxMetadataValueLength)
    await plantValues(server, user, fields[0] as MetadataField, [file.id], value)
    const copy = (await user.call(copyFile, { id: file.id })).file
    for (const id of [file.id, copy.id]) expect(await valuesOf(id)).toEqual([value.length])
    expect((await user.call(searchFiles, { q: 'larger' })).files).toHaveLength(2)
    await expect(set(file.id, entry(1, 'a'))).rejects.toMatchObject(refusedOn(1))
    await set(file.id, entry(0, 'a'), entry(1, 'b'))
    expect(await valuesOf(file.id)).toEqual([1, 1])
    await set(copy.id, entry(0, ''))
    expect(await valuesOf(copy.id)).toEqual([])
  })

  test('over the limit is left out by an import, which reports it and stores the file', async () => {
    const { id } = await buildFile(user, { name: 'larger.txt' })
    await plantValues(server, user, fields[0] as MetadataField, [id], phrase.repeat(maxMetadataValueLength))
    await plantValues(server, user, fields[1] as MetadataField, [id], 'fits')
    const folder = await openFolder()
    await runOn(server, ['export', folder, '--user', user.username])
    const other = await buildUser(server)
    const source = join(folder, user.username)
    const { code, stderr } = await runOn(server, ['import', source, '--user', other.username])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('may take 64 KB together') })
    const { files } = await other.call(searchFiles, { q: 'larger' })
    const { metadata } = (await other.call(getFile, { id: files[0]?.id ?? 0 })).file
    expect(metadata.map(({ value }) => value)).toEqual(['fits'])
  })
})

test('copies of files with metadata keep the minimum of free space, and each copy has all metadata', async context => {
  onlyOn('sqlite', context)
  const disk = await mountSmallDisk(context, '160m')
  const server = await startServer({ dataDir: join(disk.folder, 'data'), minFreeSpace: '64MB' })
  context.onTestFinished(async () => {
    await server.close()
    await disk.unmount()
  })
  const user = await buildUser(server)
  const [field] = await buildFields(server, 1)
  const folder = await buildFolder(user)
  const ids: number[] = []
  for (let n = 0; n < 60; n += 1) ids.push((await buildFile(user, { parent_id: folder.id })).id)
  await plantValues(server, user, field as MetadataField, ids, phrase.repeat(maxMetadataValueLength))
  let isOver = false
  const watching = watchLeast(disk.folder, () => isOver)
  const copyAll = async (): Promise<unknown> => {
    for (;;) {
      const { file } = await user.call(copyFile, { id: folder.id })
      const { db } = server.deps
      const copied = await db.row<{ count: number }>(
        'SELECT COUNT(*) AS count FROM file_metadata m JOIN files f ON f.id = m.file_id WHERE f.parent_id = $1',
        [file.id],
      )
      expect(copied).toEqual({ count: 60 })
    }
  }
  await expect(copyAll()).rejects.toMatchObject({ status: 507, code: 'storage_full' })
  isOver = true
  expect(await watching).toBeGreaterThan(60 * megabyte)
})
