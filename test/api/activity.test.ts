/** The activity of an item: the changes to it, and their authors. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { favoriteFile, listFileEvents, moveFile, renameFile } from '../../src/api/files.ts'
import { createLink, deleteLink, updateLink } from '../../src/api/links.ts'
import { updateSpace } from '../../src/api/spaces.ts'
import { tagFiles, untagFiles } from '../../src/api/tags.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { failure } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { readPages } from '../support/pages.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const activity = async (id: number) => (await user.call(listFileEvents, { id })).events

describe('the activity of an item', () => {
  test('lists every change, the newest first', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'a.txt' }, 'bytes')
    await user.call(renameFile, { id: file.id, name: 'b.txt' })
    await user.call(moveFile, { id: file.id, parent_id: folder.id })
    await user.call(favoriteFile, { id: file.id, is_favorite: true })
    await user.call(trashFile, { id: file.id })
    await user.call(restoreFile, { id: file.id })
    const events = await activity(file.id)
    expect(events.map(({ action, detail }) => [action, detail])).toEqual([
      ['file.restore', { name: 'b.txt', parent_id: folder.id }],
      ['file.trash', { name: 'b.txt', parent_id: folder.id }],
      ['file.favorite', null],
      ['file.move', { from: null, to: folder.id }],
      ['file.rename', { from: 'a.txt', to: 'b.txt' }],
      ['file.upload', { name: 'a.txt', size: 5 }],
    ])
    for (const event of events) {
      expect(event).toMatchObject({ actor_id: user.id, actor_name: user.username, key_id: null, item_id: file.id })
      expect(event.address).toMatch(/127\.0\.0\.1|::1/)
    }
    expect((await activity(folder.id)).map(({ action }) => action)).toEqual(['folder.create'])
  })

  test('names the API key that made the change', async () => {
    const key = await buildKey(server, user, ['files:upload'])
    const file = await buildFile(key)
    expect((await activity(file.id))[0]).toMatchObject({ actor_id: user.id, key_id: key.id })
  })

  test('leaves out changes to a tag, a user or a key with the same id', async () => {
    const file = await buildFile(user)
    const actor = { userId: user.id, name: user.username, keyId: null, address: null }
    await server.deps.db.write(actor, async record => {
      for (const action of ['tag.update', 'user.update', 'filed.away', 'folders.list']) {
        record(action as 'user.update', { id: file.id })
      }
    })
    await buildTag(user)
    expect((await activity(file.id)).map(({ action }) => action)).toEqual(['file.upload'])
  })

  test('hides the address and the API key of another user', async () => {
    const file = await buildFile(user)
    const reviewer = { userId: user.id + 1000, name: 'reviewer', keyId: 7, address: '203.0.113.9' }
    await server.deps.db.write(reviewer, async record => record('file.approve', { id: file.id, spaceId: 0 }))
    expect((await activity(file.id))[0]).toMatchObject({
      action: 'file.approve',
      actor_id: reviewer.userId,
      actor_name: 'reviewer',
      key_id: null,
      address: null,
    })
  })

  test('hides the tags of the previous owner after the file was transferred', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const owner = await buildUser(server)
    const [file, secret] = [await buildFile(owner), await buildTag(owner, 'salary dispute')]
    await owner.call(tagFiles, { tag_id: secret.id, file_ids: [file.id] })
    await owner.call(untagFiles, { tag_id: secret.id, file_ids: [file.id] })
    await admin.call(deleteUser, { id: owner.id, files: 'transfer', to: user.id })
    const own = await buildTag(user, 'mine')
    await user.call(tagFiles, { tag_id: own.id, file_ids: [file.id] })
    const tagging = (await activity(file.id)).filter(({ action }) => action.endsWith('tag'))
    expect(tagging.map(({ action, actor_name, detail }) => [action, actor_name, detail])).toEqual([
      ['file.tag', user.username, { tag_id: own.id, name: 'mine' }],
    ])
  })

  test('comes in pages of any size without gaps or repeats', async () => {
    const file = await buildFile(user)
    for (let n = 0; n < 10; n++) await user.call(renameFile, { id: file.id, name: `name ${n}` })
    const whole = await activity(file.id)
    expect(whole).toHaveLength(11)
    for (const limit of [1, 3, 10, 11, 12]) {
      const { entries } = await readPages(async cursor => {
        const { events, next_cursor } = await user.call(listFileEvents, { id: file.id, limit, cursor })
        return { entries: events, next_cursor }
      })
      expect(entries).toEqual(whole)
    }
  })

  test('refuses a cursor from another item’s activity', async () => {
    const [one, two] = [await buildFile(user), await buildFile(user)]
    await user.call(renameFile, { id: one.id, name: 'renamed' })
    const { next_cursor } = await user.call(listFileEvents, { id: one.id, limit: 1 })
    const response = await user.raw(`/api/files/${two.id}/events?cursor=${next_cursor}`)
    expect(await failure(response)).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { cursor: expect.any(String) },
    })
  })

  test('is 404 for trashed items, unknown items and those of other users, even for an administrator', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const [live, trashed] = [await buildFile(user), await buildFile(user)]
    await user.call(trashFile, { id: trashed.id })
    const answers = [
      await admin.raw(`/api/files/${live.id}/events`),
      await user.raw(`/api/files/${trashed.id}/events`),
      await user.raw('/api/files/999999/events'),
    ]
    for (const answer of answers) expect(await failure(answer)).toEqual({ status: 404, error: 'not_found' })
  })
})

describe('the activity of what was moved into a shared folder', () => {
  const namesOf = async (client: BuiltUser, id: number) =>
    (await client.call(listFileEvents, { id })).events.map(({ action }) => action)

  test('begins with the move for those to whom the folder is shared, and goes on over moves inside', async () => {
    const editor = await buildUser(server)
    const [shared, secret] = [await buildFolder(user), await buildFolder(user)]
    await buildShare(user, shared, editor, 'edit')
    const inner = await buildFolder(user, undefined, secret.id)
    const file = await buildFile(user, { parent_id: inner.id })
    await user.call(renameFile, { id: file.id, name: 'named before it came.txt' })
    await user.call(moveFile, { id: inner.id, parent_id: shared.id })
    expect(await namesOf(editor, file.id)).toEqual([])
    expect(await namesOf(editor, inner.id)).toEqual(['file.move'])
    await user.call(renameFile, { id: file.id, name: 'named here.txt' })
    await user.call(moveFile, { id: file.id, parent_id: shared.id })
    expect(await namesOf(editor, file.id)).toEqual(['file.move', 'file.rename'])
    expect(await namesOf(user, file.id)).toEqual(['file.move', 'file.rename', 'file.rename', 'file.upload'])
  })

  test('hides the name that an item had elsewhere, and shows those that it had here', async () => {
    const editor = await buildUser(server)
    const [shared, secret] = [await buildFolder(user), await buildFolder(user)]
    await buildShare(user, shared, editor, 'edit')
    const inner = await buildFolder(user, undefined, shared.id)
    const file = await buildFile(user, { name: 'dismissal of B.txt', parent_id: secret.id })
    await user.call(moveFile, { id: file.id, parent_id: shared.id, name: 'letter.txt' })
    await user.call(moveFile, { id: file.id, parent_id: inner.id, name: 'letter 2.txt' })
    const detailsOf = async (client: BuiltUser) =>
      (await client.call(listFileEvents, { id: file.id })).events
        .filter(({ action }) => action === 'file.rename')
        .map(({ detail }) => detail)
    const later = { from: 'letter.txt', to: 'letter 2.txt' }
    expect(await detailsOf(editor)).toEqual([later, { to: 'letter.txt' }])
    expect(await detailsOf(user)).toEqual([later, { from: 'dismissal of B.txt', to: 'letter.txt' }])
  })
})

test('the label of a link is shown to who made it and who manages the place, and to no other editor', async () => {
  const [admin, manager, maker, editor] = await Promise.all([
    buildUser(server, { role: 'admin' }),
    buildUser(server),
    buildUser(server),
    buildUser(server),
  ])
  const team = await buildTeam(admin, manager)
  for (const one of [maker, editor]) await buildShare(manager, { id: team.folder_id }, one, 'edit')
  await manager.call(updateSpace, { id: team.id, editors_may_link: true })
  const folder = await buildFolder(manager, undefined, team.folder_id)
  const { link } = await maker.call(createLink, { item_id: folder.id, level: 'view', label: 'for the works council' })
  await maker.call(updateLink, { id: link.id, label: 'for the other side' })
  await maker.call(deleteLink, { id: link.id })
  const labels = async (client: BuiltUser) =>
    (await client.call(listFileEvents, { id: folder.id })).events
      .filter(({ action }) => action.startsWith('link.'))
      .map(({ detail }) => detail?.label)
  const all = ['for the other side', 'for the other side', 'for the works council']
  expect([await labels(maker), await labels(manager)]).toEqual([all, all])
  expect(await labels(editor)).toEqual([undefined, undefined, undefined])
})
