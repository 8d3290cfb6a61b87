/** The validation queue: which files wait in it, and how reviewers decide on them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyFile, getFile, listFiles, moveFile, renameFile } from '../../src/api/files.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { decideFile, listPending } from '../../src/api/validation.ts'
import { failure } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildReviewer,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let reviewer: BuiltUser
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  reviewer = await buildReviewer(server)
  user = await buildUser(server)
})
beforeEach(() =>
  turnSettings(admin, { validation_enabled: true, allow_self_validation: false, auto_validate_admin: false }),
)
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }
const decide = (client: BuiltUser, body: object) =>
  client.raw('/api/validation', { method: 'POST', headers: json, body: JSON.stringify(body) })
const approve = (client: BuiltUser, id: number) => decide(client, { file_id: id, status: 'approved' })
const reread = async (id: number) => (await user.call(getFile, { id })).file
const decided = { status: 409, error: 'already_decided' }
const missing = { status: 404, error: 'not_found' }
const forbidden = { status: 403, error: 'forbidden' }

describe('the validation queue', () => {
  test('lists the live pending files of all users with owner and path, the oldest first', async () => {
    const folder = await buildFolder(user, 'Reports')
    const first = await buildFile(user, { parent_id: folder.id, name: 'first.pdf' })
    const second = await buildFile(admin)
    const own = await buildFile(reviewer)
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    const queue = await reviewer.call(listPending, {})
    expect(queue.map(({ id, owner }) => [id, owner])).toEqual([
      [first.id, user.username],
      [second.id, admin.username],
      [own.id, reviewer.username],
    ])
    const { metadata, may: _may, ...item } = first
    expect(metadata).toEqual([])
    const beside = { owner: user.username, space: { kind: 'personal', owner: user.username }, by_link: null }
    expect(queue[0]).toEqual({ ...item, ...beside, may: expect.objectContaining({ see: false, change: false }) })
    expect(queue[0]?.path).toBe('/Reports/first.pdf')
    await user.call(trashFile, { id: folder.id })
    expect((await reviewer.call(listPending, {})).map(({ id }) => id)).toEqual([second.id, own.id])
    await user.call(restoreFile, { id: folder.id })
    expect((await reviewer.call(listPending, {})).map(({ id }) => id)).toContain(first.id)
  })

  test('keeps its files when validation is turned off, and they can still be decided', async () => {
    const file = await buildFile(user)
    await turnSettings(admin, { validation_enabled: false })
    expect((await buildFile(user)).validation_status).toBe('approved')
    expect((await reread(file.id)).validation_status).toBe('pending')
    expect((await reviewer.call(listPending, {})).map(({ id }) => id)).toContain(file.id)
    expect((await approve(reviewer, file.id)).status).toBe(200)
    expect((await reread(file.id)).validation_status).toBe('approved')
  })
})

describe('a validation decision', () => {
  test('approves or rejects a file with a comment, removes it from the queue, and changes nothing else', async () => {
    for (const [status, comment, kept] of [
      ['approved', undefined, null],
      ['approved', 'well done', 'well done'],
      ['rejected', null, null],
      ['rejected', '', null],
      ['rejected', ' not\nlike this ', 'not\nlike this'],
    ] as const) {
      const file = await buildFile(user)
      const { file: answer } = await reviewer.call(decideFile, { file_id: file.id, status, comment })
      const decided = { ...file, validation_status: status, validation_comment: kept }
      expect(answer).toEqual({
        ...decided,
        may: { see: false, add: false, change: false, organise: false, trash: false, share: false },
      })
      expect(await reread(file.id)).toEqual(decided)
      expect((await reviewer.call(listPending, {})).map(({ id }) => id)).not.toContain(file.id)
      const row = await server.deps.db.row('SELECT validated_by FROM files WHERE id = $1', [file.id])
      expect(row).toEqual({ validated_by: reviewer.id })
    }
  })

  test('changes the ETag of the owner’s listing, and records an event in the owner’s space', async () => {
    const file = await buildFile(user)
    const etag = async () => (await user.raw('/api/files')).headers.get('etag')
    const before = await etag()
    await reviewer.call(decideFile, { file_id: file.id, status: 'rejected', comment: 'blurred' })
    expect(await etag()).not.toBe(before)
    const event = await server.deps.db.row<{ space_id: number; detail: string }>(
      "SELECT space_id, detail FROM events WHERE action = 'file.reject' AND item_id = $1",
      [file.id],
    )
    const owned = await server.deps.db.row('SELECT space_id FROM files WHERE id = $1', [file.id])
    expect({ space_id: event?.space_id }).toEqual(owned)
    expect(JSON.parse(event?.detail ?? '')).toEqual({ name: file.name, comment: 'blurred' })
  })

  test('is final: a second one, or one on a file that never waited, is 409', async () => {
    const file = await buildFile(user)
    await reviewer.call(decideFile, { file_id: file.id, status: 'rejected', comment: 'first' })
    expect(await failure(await approve(reviewer, file.id))).toEqual(decided)
    expect(await reread(file.id)).toMatchObject({ validation_status: 'rejected', validation_comment: 'first' })
    await turnSettings(admin, { validation_enabled: false })
    expect(await failure(await approve(reviewer, (await buildFile(user)).id))).toEqual(decided)
  })

  test('by several reviewers at the same time succeeds once, and is 409 for the others', async () => {
    const reviewers = [reviewer, admin, await buildReviewer(server), await buildReviewer(server)]
    for (let round = 0; round < 5; round++) {
      const { id } = await buildFile(user)
      const answers = await Promise.all(
        reviewers.map((one, index) =>
          decide(one, { file_id: id, status: index % 2 === 0 ? 'approved' : 'rejected', comment: one.username }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      const winner = answers.findIndex(({ status }) => status === 200)
      expect(await reread(id)).toMatchObject({
        validation_status: winner % 2 === 0 ? 'approved' : 'rejected',
        validation_comment: reviewers[winner]?.username,
      })
      const events = await server.deps.db.rows(
        "SELECT id FROM events WHERE action IN ('file.approve', 'file.reject') AND item_id = $1",
        [id],
      )
      expect(events).toHaveLength(1)
    }
  })

  test('and a replacement at the same time take effect one after the other', async () => {
    const name = 'replaced while decided.txt'
    const { id } = await buildFile(user, { name })
    for (let round = 0; round < 8; round++) {
      const [answer] = await Promise.all([approve(reviewer, id), buildFile(user, { name, on_conflict: 'replace' })])
      expect(answer.status).toBe(200)
      const row = await server.deps.db.row('SELECT validation_status, validated_by FROM files WHERE id = $1', [id])
      expect([
        { validation_status: 'pending', validated_by: null },
        { validation_status: 'approved', validated_by: reviewer.id },
      ]).toContainEqual(row)
      await buildFile(user, { name, on_conflict: 'replace' })
    }
  })

  test('is 409 when the file’s content has changed since the reviewer saw it', async () => {
    const name = 'exchanged after the look.txt'
    const seen = await buildFile(user, { name })
    await buildFile(user, { name, on_conflict: 'replace' })
    for (const status of ['approved', 'rejected']) {
      const answer = await failure(await decide(reviewer, { file_id: seen.id, status, sha256: seen.sha256 }))
      expect(answer).toEqual({ ...decided, fields: { sha256: 'This file has changed since you looked at it' } })
    }
    const waiting = (await reviewer.call(listPending, {})).find(({ id }) => id === seen.id)
    expect(waiting).toMatchObject({ validation_status: 'pending', validation_comment: null })
    const sha256 = waiting?.sha256.toUpperCase()
    expect((await decide(reviewer, { file_id: seen.id, status: 'approved', sha256 })).status).toBe(200)
    expect((await reread(seen.id)).validation_status).toBe('approved')
  })

  test('and a replacement at the same time never approve content that the reviewer has not seen', async () => {
    const name = 'exchanged while decided.txt'
    let { id, sha256 } = await buildFile(user, { name })
    for (let round = 0; round < 8; round++) {
      const body = { file_id: id, status: 'approved', sha256 }
      const [answer, next] = await Promise.all([
        decide(reviewer, body),
        buildFile(user, { name, on_conflict: 'replace' }),
      ])
      expect([200, 409]).toContain(answer.status)
      expect(await reread(id)).toMatchObject({ sha256: next.sha256, validation_status: 'pending' })
      sha256 = next.sha256
    }
  })

  test('and a move to the trash at the same time take effect one after the other', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await buildFile(user)
      const [answer] = await Promise.all([approve(reviewer, id), user.call(trashFile, { id })])
      expect([200, 404]).toContain(answer.status)
      const { file } = await user.call(restoreFile, { id })
      expect(file.validation_status).toBe(answer.status === 200 ? 'approved' : 'pending')
    }
  })

  test('is 404 for an unknown file, a trashed file or a folder', async () => {
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    for (const id of [999_999, trashed.id, (await buildFolder(user)).id]) {
      expect(await failure(await approve(reviewer, id))).toEqual(missing)
    }
  })

  test('on the reviewer’s own file needs allow_self_validation, which has no effect while validation is off', async () => {
    const own = await buildFile(reviewer)
    expect(await failure(await approve(reviewer, own.id))).toEqual(forbidden)
    await turnSettings(admin, { allow_self_validation: true, validation_enabled: false })
    expect(await failure(await approve(reviewer, own.id))).toEqual(forbidden)
    await turnSettings(admin, { validation_enabled: true })
    expect((await approve(reviewer, own.id)).status).toBe(200)
  })

  test('needs the permission to review, with a session or a key', async () => {
    const { id } = await buildFile(user)
    expect(await failure(await approve(user, id))).toEqual(forbidden)
    expect(await failure(await user.raw('/api/validation/pending'))).toEqual(forbidden)
    const key = await buildKey(server, reviewer, ['validation:review'])
    const { file } = await key.call(decideFile, { file_id: id, status: 'approved' })
    expect(file.validation_status).toBe('approved')
  })

  test.each([
    ['file_id', { status: 'approved' }],
    ['file_id', { file_id: '1', status: 'approved' }],
    ['file_id', { file_id: 0, status: 'approved' }],
    ['status', { file_id: 1 }],
    ['status', { file_id: 1, status: 'pending' }],
    ['comment', { file_id: 1, status: 'rejected', comment: 'x'.repeat(1001) }],
    ['comment', { file_id: 1, status: 'rejected', comment: '\u001b[2J' }],
    ['sha256', { file_id: 1, status: 'approved', sha256: 'a'.repeat(63) }],
    ['sha256', { file_id: 1, status: 'approved', sha256: 'g'.repeat(64) }],
    ['validated_by', { file_id: 1, status: 'approved', validated_by: 1 }],
  ])('is refused with an invalid %s: %j', async (field, body) => {
    const answer = await failure(await decide(reviewer, body))
    expect(answer).toEqual({ status: 400, error: 'invalid_input', fields: { [field]: expect.any(String) } })
  })
})

describe('the validation status', () => {
  test('is pending again after new content, and the earlier decision is removed', async () => {
    for (const status of ['approved', 'rejected'] as const) {
      const file = await buildFile(user, { name: `${status}.txt` })
      await reviewer.call(decideFile, { file_id: file.id, status, comment: 'seen' })
      const replaced = await buildFile(user, { name: `${status}.txt`, on_conflict: 'replace' })
      expect(replaced).toMatchObject({ id: file.id, validation_status: 'pending', validation_comment: null })
      const row = await server.deps.db.row('SELECT validated_by, validated_at FROM files WHERE id = $1', [file.id])
      expect(row).toEqual({ validated_by: null, validated_at: null })
    }
  })

  test('is kept through a rename, a move, new metadata, and a restore from the trash', async () => {
    const [folder, field] = [await buildFolder(user), await buildField(admin)]
    for (const status of ['approved', 'rejected'] as const) {
      const { id } = await buildFile(user)
      await reviewer.call(decideFile, { file_id: id, status, comment: 'kept' })
      await user.call(renameFile, { id, name: `renamed ${status}` })
      await user.call(moveFile, { id, parent_id: folder.id })
      const metadata = JSON.stringify({ metadata: [{ field_id: field.id, value: 'x' }] })
      await user.raw(`/api/files/${id}/metadata`, { method: 'PUT', headers: json, body: metadata })
      await user.call(trashFile, { id })
      await user.call(restoreFile, { id })
      expect(await reread(id)).toMatchObject({ validation_status: status, validation_comment: 'kept' })
    }
    const { files } = await user.call(listFiles, { parent_id: folder.id })
    expect(files.map(({ validation_status }) => validation_status).sort()).toEqual(['approved', 'rejected'])
  })

  test('of a folder is always approved', async () => {
    expect((await buildFolder(user)).validation_status).toBe('approved')
  })

  test('of a copy is pending unless the original was approved', async () => {
    const [pending, rejected, approved] = [await buildFile(user), await buildFile(user), await buildFile(user)]
    await reviewer.call(decideFile, { file_id: rejected.id, status: 'rejected', comment: 'no' })
    await reviewer.call(decideFile, { file_id: approved.id, status: 'approved', comment: 'yes' })
    const copy = async (id: number) => (await user.call(copyFile, { id })).file
    for (const { id } of [pending, rejected]) {
      expect(await copy(id)).toMatchObject({ validation_status: 'pending', validation_comment: null })
    }
    expect((await copy(approved.id)).validation_status).toBe('approved')
    const own = await buildFile(reviewer)
    await turnSettings(admin, { auto_validate_admin: true })
    expect((await reviewer.call(copyFile, { id: own.id })).file.validation_status).toBe('approved')
    expect((await copy(pending.id)).validation_status).toBe('pending')
    await turnSettings(admin, { validation_enabled: false })
    expect((await copy(pending.id)).validation_status).toBe('approved')
  })
})
