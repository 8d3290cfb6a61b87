/** A search without a text: every file with a tag. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchFiles } from '../../src/api/search.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildTag, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const find = async (filters: { tag_id: number; mime_type?: string }) =>
  (await user.call(searchFiles, filters)).files.map(({ name }) => name)

describe('a search by tag alone', () => {
  beforeAll(async () => {
    user = await buildUser(server)
  })

  test('finds every live file with the tag, the newest first, and takes further filters', async () => {
    const tag = await buildTag(user)
    const ids = []
    for (const name of ['a.png', 'b.txt', 'é', 'gone.txt']) ids.push((await buildFile(user, { name })).id)
    await buildFile(user, { name: 'without.txt' })
    await user.call(tagFiles, { tag_id: tag.id, file_ids: ids })
    await user.call(trashFile, { id: ids[3] ?? 0 })
    expect(await find({ tag_id: tag.id })).toEqual(['é', 'b.txt', 'a.png'])
    expect(await find({ tag_id: tag.id, mime_type: 'image/' })).toEqual(['a.png'])
    expect(await find({ tag_id: (await buildTag(user)).id })).toEqual([])
  })

  test('is 404 for the tag of another user', async () => {
    const foreign = await buildTag(await buildUser(server))
    const response = await user.raw(`/api/files/search?tag_id=${foreign.id}`)
    expect(await failure(response)).toEqual({ status: 404, error: 'not_found' })
  })

  test.each(['', 'q=', 'q=%20', 'q=&mime_type=image/', 'tag_id=1&q=p'])('refuses ?%s', async query => {
    const response = await user.raw(`/api/files/search?${query}`)
    expect(await failure(response)).toMatchObject({
      status: 400,
      error: 'invalid_input',
      fields: { q: 'Enter at least 2 characters' },
    })
  })

  test('finds nothing for a text that folds to nothing', async () => {
    const tag = await buildTag(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [(await buildFile(user)).id] })
    const response = await user.raw(`/api/files/search?q=${encodeURIComponent('\u200b\u200b\u200b')}&tag_id=${tag.id}`)
    expect(await response.json()).toMatchObject({ data: { files: [], total: 0 } })
  })

  test('reads a tag on thousands of files page by page', async () => {
    const tag = await buildTag(user)
    const many = 10_500
    const tagged = await plant(server, user, async (db, owner) => {
      const folder = await plantFolder(db, owner, null, 'many')
      await plantEntries(db, owner, folder, many)
      await db.change(
        'INSERT INTO file_tags (tag_id, file_id) SELECT $1, id FROM files WHERE parent_id = $2 AND is_directory = 0',
        [tag.id, folder],
      )
      return (await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM file_tags WHERE tag_id = $1', [tag.id]))
        ?.count
    })
    const ids: number[] = []
    let cursor: string | undefined
    do {
      const page = await user.call(searchFiles, { tag_id: tag.id, limit: 1000, cursor })
      expect(page).toMatchObject({ total: 1000, total_is_exact: false })
      ids.push(...page.files.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(new Set(ids).size).toBe(tagged)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
  })
})
