/** What programs need that keep a folder equal to one of their own: hashes in a list, and a time that can be set. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFileEvents, listFiles, setModifiedAt } from '../../src/api/files.ts'
import { decideFile } from '../../src/api/validation.ts'
import { failure, signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildReviewer,
  buildShare,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('a listing with=sha256', () => {
  test('has the hash of each file, on every page, and without it none', async () => {
    const folder = await buildFolder(user)
    const texts = ['one', 'two', 'one', '']
    for (const [index, text] of texts.entries()) {
      await buildFile(user, { name: `${index}.txt`, parent_id: folder.id }, text)
    }
    const first = await user.call(listFiles, { parent_id: folder.id, with: 'sha256', limit: 3 })
    const cursor = first.next_cursor ?? undefined
    const second = await user.call(listFiles, { parent_id: folder.id, with: 'sha256', limit: 3, cursor })
    const hashes = [...first.files, ...second.files].map(({ sha256 }) => sha256)
    expect(hashes).toEqual(texts.map(hashOf))
    const plain = await user.call(listFiles, { parent_id: folder.id })
    expect(plain.files.every(file => !('sha256' in file))).toBe(true)
  })

  test('hides the hash of a file that was handed in and rejected from the owner of the folder', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const reviewer = await buildReviewer(server)
    const student = await buildUser(server)
    const box = await buildFolder(user)
    await buildShare(user, box, student, 'upload')
    await turnSettings(admin, { validation_enabled: true })
    const { id } = await buildFile(student, { name: 'essay.txt', parent_id: box.id }, 'an essay')
    await reviewer.call(decideFile, { file_id: id, status: 'rejected', comment: 'no' })
    await turnSettings(admin, { validation_enabled: false })
    const list = async (client: BuiltUser) =>
      (await client.call(listFiles, { parent_id: box.id, with: 'sha256' })).files.map(({ sha256 }) => sha256)
    expect(await list(user)).toEqual([null])
    expect(await list(student)).toEqual([hashOf('an essay')])
  })
})

describe("a file's own time", () => {
  const time = '2021-02-03T04:05:06.789Z'

  test('is set, leaves an event, and says nothing when it is the same', async () => {
    const before = await buildFile(user, { name: 'dated.txt' })
    const { file } = await user.call(setModifiedAt, { id: before.id, modified_at: '2021-02-03T05:05:06.789+01:00' })
    expect(file).toEqual({ ...before, modified_at: time })
    await user.call(setModifiedAt, { id: before.id, modified_at: time })
    expect((await user.call(getFile, { id: before.id })).file).toEqual(file)
    const { events } = await user.call(listFileEvents, { id: before.id })
    expect(events.map(({ action }) => action)).toEqual(['file.date', 'file.upload'])
    expect(events[0]?.detail).toMatchObject({ name: 'dated.txt', modified_at: time })
  })

  test.each(['yesterday', '2021-02-03', '0000-01-01T00:00:00Z', ''])('refuses "%s" with 400', async modified_at => {
    const { id } = await buildFile(user)
    const response = await user.raw(`/api/files/${id}/modified-at`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ modified_at }),
    })
    expect(await failure(response)).toMatchObject({ status: 400, fields: { modified_at: expect.any(String) } })
  })

  test('is refused for a folder', async () => {
    const { id } = await buildFolder(user)
    const setting = user.call(setModifiedAt, { id, modified_at: time })
    await expect(setting).rejects.toMatchObject({ status: 400, code: 'invalid_input' })
  })
})
