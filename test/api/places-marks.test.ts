/** What one sees of others' places elsewhere: marks, searches, and what waits there for approval. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  copyFile,
  favoriteFile,
  getFile,
  listFavorites,
  listFileEvents,
  listFiles,
  moveFile,
  renameFile,
} from '../../src/api/files.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { listTags, tagFiles } from '../../src/api/tags.ts'
import { listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildReviewer,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let owner: BuiltUser
let editor: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  owner = await buildUser(server)
  editor = await buildUser(server)
})
afterAll(() => server.close())

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const unknown = { status: 404, code: 'not_found' }

/** A shared folder inside another, with a folder and a file in it. */
async function buildPlace(level: 'view' | 'upload' | 'edit' = 'edit', to = editor) {
  const outer = await buildFolder(owner, undefined)
  const root = await buildFolder(owner, 'Shared', outer.id)
  const inner = await buildFolder(owner, 'Inner', root.id)
  const file = await buildFile(owner, { name: 'inside.txt', parent_id: inner.id })
  return { outer, root, inner, file, share: await buildShare(owner, root, to, level) }
}

describe('marks on others’ items', () => {
  test('are one’s own: favourites and tags are listed and counted as long as the item is seen', async () => {
    const marker = await buildUser(server)
    const { file, root, share } = await buildPlace('view', marker)
    const tag = await buildTag(marker)
    await marker.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await marker.call(favoriteFile, { id: file.id, is_favorite: true })
    await marker.call(favoriteFile, { id: root.id, is_favorite: true })
    const favorites = async () => (await marker.call(listFavorites, {})).files.map(({ id }) => id)
    const counts = async () => (await marker.call(listTags, {})).tags.map(({ file_count }) => file_count)
    expect([await favorites(), await counts()]).toEqual([[root.id, file.id], [1]])
    expect((await marker.call(getFile, { id: file.id })).file).toMatchObject({
      is_favorite: true,
      tags: [{ id: tag.id }],
    })
    expect((await owner.call(getFile, { id: file.id })).file).toMatchObject({ is_favorite: false, tags: [] })
    const { events } = await owner.call(listFileEvents, { id: file.id })
    expect(events.map(({ action }) => action)).not.toContain('file.tag')
    await owner.call(deleteShare, { id: share.id })
    expect([await favorites(), await counts(), (await marker.call(listFavorites, {})).total]).toEqual([[], [0], 0])
  })

  test('go along with a copy into the own tree, those of others do not', async () => {
    const { file } = await buildPlace()
    const [hers, his] = [await buildTag(editor), await buildTag(owner)]
    await editor.call(tagFiles, { tag_id: hers.id, file_ids: [file.id] })
    await owner.call(tagFiles, { tag_id: his.id, file_ids: [file.id] })
    const { file: copy } = await editor.call(copyFile, { id: file.id, parent_id: null })
    expect(copy).toMatchObject({ owner_id: editor.id, place: null, tags: [{ id: hers.id }] })
  })
})

test('a search finds what is shared, in team folders too, and no more than asked for', async () => {
  const finder = await buildUser(server)
  const word = `needle${Date.now()}`
  const { root, outer } = await buildPlace('view', finder)
  const team = await buildTeam(admin, owner)
  await buildShare(owner, { id: team.folder_id }, finder, 'view')
  const deep = await buildFolder(owner, undefined, root.id)
  const hit = await buildFile(owner, { name: `${word} shared.txt`, parent_id: deep.id })
  const ofTeam = await buildFile(owner, { name: `${word} team.txt`, parent_id: team.folder_id })
  const own = await buildFile(finder, { name: `${word} own.txt` })
  await buildFile(owner, { name: `${word} beside.txt`, parent_id: outer.id })
  // A share below another finds nothing twice.
  await buildShare(owner, deep, finder, 'edit')
  const found = async (input: object) =>
    (await finder.call(searchFiles, { q: word, ...input })).files.map(({ id }) => id)
  expect(await found({})).toEqual([own.id, ofTeam.id, hit.id])
  const { files } = await finder.call(searchFiles, { q: word })
  const mayChange = files.map(({ may }) => may?.change ?? null)
  expect(mayChange, 'in the own tree, where one may view, where one may edit').toEqual([null, false, true])
  expect(await found({ scope: 'own' })).toEqual([own.id])
  expect(await found({ in: root.id })).toEqual([hit.id])
  expect(await refusal(finder.call(searchFiles, { q: word, in: outer.id }))).toEqual(unknown)
  const pages: number[] = []
  let cursor: string | undefined
  do {
    const page = await finder.call(searchFiles, { q: word, limit: 1, cursor })
    expect(page).toMatchObject({ total: 3, total_is_exact: true })
    pages.push(...page.files.map(({ id }) => id))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  expect(pages).toEqual([own.id, ofTeam.id, hit.id])
})

describe('what waits for approval in a place', () => {
  let reviewer: BuiltUser
  beforeAll(async () => {
    reviewer = await buildReviewer(server)
    await turnSettings(admin, { validation_enabled: true })
  })
  afterAll(() => turnSettings(admin, { validation_enabled: false }))

  test('is seen by who put it there alone, until a reviewer approves it', async () => {
    const { root } = await buildPlace()
    const sent = await editor.upload('held', { parent_id: root.id, name: 'held.txt' })
    expect(sent.validation_status).toBe('pending')
    const seen = async (client: TestClient) => {
      const { files, total, held } = await client.call(listFiles, { parent_id: root.id, only: 'files' })
      return { ids: files.map(({ id }) => id), total, held }
    }
    expect(await seen(editor)).toEqual({ ids: [sent.id], total: 1, held: 0 })
    expect(await seen(owner)).toEqual({ ids: [], total: 0, held: 1 })
    expect((await owner.call(searchFiles, { q: 'held.txt' })).files).toEqual([])
    expect((await owner.call(getFileStats, {})).recent_files.map(({ id }) => id)).not.toContain(sent.id)
    expect(await refusal(owner.call(getFile, { id: sent.id }))).toEqual(unknown)
    await editor.call(trashFile, { id: sent.id })
    expect((await owner.call(listTrash, {})).files.map(({ id }) => id)).not.toContain(sent.id)
    await editor.call(restoreFile, { id: sent.id })
    await reviewer.call(decideFile, { file_id: sent.id, status: 'approved' })
    expect(await seen(owner)).toEqual({ ids: [sent.id], total: 1, held: 0 })
  })

  test('takes its name: nobody else gets it, and nobody replaces it unseen', async () => {
    const { root } = await buildPlace()
    await editor.upload('held', { parent_id: root.id, name: 'taken.txt' })
    const taken = { status: 409, code: 'name_taken' }
    for (const on_conflict of ['fail', 'replace']) {
      const again = owner.upload('other', { parent_id: root.id, name: 'taken.txt', on_conflict })
      expect(await refusal(again)).toEqual(taken)
    }
    const other = await buildFile(owner, { parent_id: root.id })
    expect(await refusal(owner.call(renameFile, { id: other.id, name: 'taken.txt' }))).toEqual(taken)
    expect((await owner.upload('other', { parent_id: root.id, name: 'taken.txt' })).name).toBe('taken (1).txt')
  })

  test('replaces no approved file of others, which would be gone for them', async () => {
    const { root } = await buildPlace()
    const file = await buildFile(owner, { parent_id: root.id, name: 'agreed.txt' })
    await reviewer.call(decideFile, { file_id: file.id, status: 'approved' })
    const again = { parent_id: root.id, name: 'agreed.txt', on_conflict: 'replace' }
    expect(await refusal(editor.upload('new content', again))).toEqual({ status: 403, code: 'forbidden' })
    const form = new FormData()
    form.set('file', new Blob(['new content']), 'agreed.txt')
    const headers = { 'if-match': `"${file.sha256}"` }
    const byId = await editor.raw(`/api/files/${file.id}/content`, { method: 'PUT', headers, body: form })
    expect(byId.status).toBe(403)
    expect((await owner.call(getFile, { id: file.id })).file).toMatchObject({ sha256: file.sha256 })
    // One's own content waits again.
    expect((await owner.upload('newer', again)).validation_status).toBe('pending')
  })

  test('goes along in no copy, ZIP file or move by others', async () => {
    const { inner } = await buildPlace()
    await editor.upload('held', { parent_id: inner.id, name: 'held.txt' })
    const { file: copy } = await owner.call(copyFile, { id: inner.id, parent_id: null, name: `copy-${Date.now()}` })
    const names = async (client: TestClient, id: number) =>
      (await client.call(listFiles, { parent_id: id })).files.map(({ name }) => name)
    expect(await names(owner, copy.id)).toEqual(['inside.txt'])
    const zip = Buffer.from(await (await owner.raw(`/api/files/${inner.id}/archive`)).arrayBuffer()).toString('latin1')
    expect([zip.includes('inside.txt'), zip.includes('held.txt')]).toEqual([true, false])
    const team = await buildTeam(admin, owner)
    const move = owner.call(moveFile, { id: inner.id, parent_id: team.folder_id })
    expect(await refusal(move)).toEqual({ status: 409, code: 'in_use' })
  })

  test('gets the status of its own uploader, when a reviewer and an editor upload at once', async () => {
    await turnSettings(admin, { auto_validate_admin: true })
    const { root } = await buildPlace()
    await buildShare(owner, root, reviewer, 'edit')
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const [client, status] = index % 2 === 0 ? [reviewer, 'approved'] : [editor, 'pending']
        const upload = (client as BuiltUser).upload('bytes', { parent_id: root.id, name: `${index}.txt` })
        return upload.then(({ validation_status }) => [validation_status, status])
      }),
    )
    for (const [got, wanted] of sent) expect(got).toBe(wanted)
    await turnSettings(admin, { auto_validate_admin: false })
  })
})
