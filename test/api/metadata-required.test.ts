/** Required metadata fields: while the setting is on, no call stores a file without them or removes their values. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getFile, listFiles, setFileMetadata } from '../../src/api/files.ts'
import { type MetadataField, updateField } from '../../src/api/metadata.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType, openParts } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
let project: MetadataField
let due: MetadataField
let note: MetadataField
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  user = await buildUser(server)
  project = await buildField(admin, { name: 'project', label: 'Project', is_required: true })
  due = await buildField(admin, { name: 'due', label: 'Due on', field_type: 'date', is_required: true })
  note = await buildField(admin, { name: 'note', label: 'Note' })
})
beforeEach(() => turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: true }))
afterAll(() => server.close())

const value = (field: MetadataField, text: string) => ({ field_id: field.id, value: text })
const both = () => [value(project, 'Apollo'), value(due, '2026-12-31')]
const lacks = (fields: object) => ({ status: 400, code: 'invalid_input', fields })

describe('an upload', () => {
  test('with all required values is stored', async () => {
    const file = await buildFile(user, { metadata: both() })
    expect(file.metadata.map(entry => [entry.name, entry.value])).toEqual([
      ['project', 'Apollo'],
      ['due', '2026-12-31'],
    ])
  })

  test('without a required value is refused under every rule for conflicts, with the label of the field, and leaves nothing', async () => {
    const before = await readHoldings(server)
    const bytes = randomBytes(100_000)
    for (const on_conflict of [undefined, 'rename', 'fail', 'replace']) {
      const upload = (metadata?: { field_id: number; value: string }[]) =>
        buildFile(user, { on_conflict, metadata }, bytes)
      const neither = lacks({ project: 'Project is required', due: 'Due on is required' })
      await expect(upload()).rejects.toMatchObject(neither)
      await expect(upload([])).rejects.toMatchObject({ ...neither, message: 'Project is required' })
      await expect(upload([value(note, 'x')])).rejects.toMatchObject(neither)
      await expect(upload([value(project, 'x')])).rejects.toMatchObject(lacks({ due: 'Due on is required' }))
      await expect(upload([value(project, ' '), value(due, '2026-01-01')])).rejects.toMatchObject(
        lacks({ project: 'Project is required' }),
      )
    }
    await expect.poll(() => readHoldings(server)).toEqual(before)
    expect((await user.call(listFiles, { only: 'files' })).files.map(({ name }) => name)).not.toContain('file.bin')
  })

  test('is refused before its bytes arrive when all fields were sent before them', async () => {
    const fields = [
      { name: 'name', value: 'early.bin' },
      { name: 'on_conflict', value: 'fail' },
      { name: 'metadata', value: JSON.stringify([value(project, 'x')]) },
    ]
    let isAnswered = false
    async function* body(): AsyncGenerator<Buffer> {
      yield openParts(fields)
      yield fileStart('early.bin')
      // The body never ends by itself; only an early answer stops it.
      while (!isAnswered) yield Buffer.alloc(1000)
    }
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...user.headers, 'content-type': multipartType },
      body: body(),
    })
    isAnswered = true
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({ fields: { due: 'Due on is required' } })
  })

  test('may send its metadata after the file', async () => {
    const response = await user.raw('/api/files/upload', {
      method: 'POST',
      headers: { 'content-type': multipartType },
      body: multipartBody([
        { name: 'file', fileName: 'late.txt', value: 'x' },
        { name: 'metadata', value: JSON.stringify(both()) },
      ]),
    })
    expect(response.status).toBe(201)
  })

  test('that replaces a file may rely on the values that the file has', async () => {
    await turnSettings(admin, { metadata_required_on_upload: false })
    const name = 'kept.txt'
    await buildFile(user, { name, metadata: [value(project, 'Apollo')] })
    await turnSettings(admin, { metadata_required_on_upload: true })
    const replace = (metadata?: { field_id: number; value: string }[]) =>
      buildFile(user, { name, on_conflict: 'replace', metadata })
    await expect(replace()).rejects.toMatchObject(lacks({ due: 'Due on is required' }))
    await expect(replace([value(due, '')])).rejects.toMatchObject(lacks({ due: 'Due on is required' }))
    expect((await replace([value(due, '2026-01-01')])).metadata).toHaveLength(2)
    expect((await replace()).metadata).toHaveLength(2)
    expect((await replace([value(project, '')])).metadata).toHaveLength(2)
  })

  test('needs no values while either setting is off or the fields are disabled', async () => {
    await turnSettings(admin, { metadata_required_on_upload: false })
    expect((await buildFile(user)).metadata).toEqual([])
    await turnSettings(admin, { metadata_required_on_upload: true, metadata_enabled: false })
    expect((await buildFile(user)).metadata).toEqual([])
    await turnSettings(admin, { metadata_enabled: true })
    for (const { id } of [project, due]) await admin.call(updateField, { id, is_enabled: false })
    const file = await buildFile(user)
    for (const { id } of [project, due]) await admin.call(updateField, { id, is_enabled: true })
    expect(file.metadata).toEqual([])
  })
})

describe('the metadata of a file', () => {
  test('cannot lose a required value, and a change that would remove one changes nothing', async () => {
    const file = await buildFile(user, { metadata: both() })
    const response = await user.raw(`/api/files/${file.id}/metadata`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: [value(note, 'x'), value(project, ''), value(due, ' ')] }),
    })
    expect(await failure(response)).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { project: 'Project is required', due: 'Due on is required' },
    })
    expect((await user.call(getFile, { id: file.id })).file).toEqual(file)
  })

  test('can lose a required value while the setting is off', async () => {
    const file = await buildFile(user, { metadata: both() })
    await turnSettings(admin, { metadata_required_on_upload: false })
    const { file: after } = await user.call(setFileMetadata, { id: file.id, metadata: [value(project, '')] })
    expect(after.metadata.map(({ name }) => name)).toEqual(['due'])
  })

  test('can get required values one by one when the file is older than the setting', async () => {
    await turnSettings(admin, { metadata_required_on_upload: false })
    const file = await buildFile(user)
    await turnSettings(admin, { metadata_required_on_upload: true })
    const { file: after } = await user.call(setFileMetadata, { id: file.id, metadata: [value(project, 'Apollo')] })
    expect(after.metadata.map(({ name }) => name)).toEqual(['project'])
  })
})
