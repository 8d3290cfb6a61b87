/** Metadata fields: creating, changing and deleting the fields of the upload form. */
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import {
  createField,
  deleteField,
  fieldTypes,
  listFields,
  listUploadFields,
  updateField,
} from '../../src/api/metadata.ts'
import { plantTree } from '../bench/plant.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  user = await buildUser(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const { id } of await admin.call(listFields, {})) await admin.call(deleteField, { id })
})

const send = (method: string, path: string, body: unknown) =>
  admin.raw(`/api/metadata/fields${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const refusedOn = (field: string) => ({ status: 400, error: 'invalid_input', fields: { [field]: expect.any(String) } })

describe('a new field', () => {
  test.each(fieldTypes)('of type %s is answered with 201, is enabled and is listed', async field_type => {
    const options = field_type === 'select' ? ['Draft', 'Final'] : undefined
    const body = { name: 'kind', label: 'Kind', field_type, description: 'What it is', is_required: true, options }
    const response = await send('POST', '', body)
    expect(response.status).toBe(201)
    const field = (await response.json()).data
    expect(field).toEqual({
      ...body,
      options: options ?? null,
      id: expect.any(Number),
      is_enabled: true,
      created_at: expect.any(String),
    })
    expect(await admin.call(listFields, {})).toEqual([field])
  })

  test('needs only a name, a label and a type', async () => {
    const field = await admin.call(createField, { name: 'a', label: 'A', field_type: 'text' })
    expect(field).toMatchObject({ description: null, is_required: false, is_enabled: true, options: null })
  })

  test.each([
    [' Due Date ', 'due_date'],
    ['PROJECT', 'project'],
    ['a  b\tc', 'a_b_c'],
    ['_x', '_x'],
    ['__proto__', '__proto__'],
  ])('named %j gets the name %s', async (given, name) => {
    expect(await buildField(admin, { name: given })).toMatchObject({ name })
  })

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: '9lives' }],
    ['name', { name: 'a1' }],
    ['name', { name: 'straße' }],
    ['name', { name: 'a-b' }],
    ['name', { name: 'x'.repeat(65) }],
    ['label', { label: ' ' }],
    ['label', { label: 'two\nlines' }],
    ['field_type', { field_type: 'file' }],
    ['is_required', { is_required: 'true' }],
    ['is_enabled', { is_enabled: true }],
    ['options', { field_type: 'select' }],
    ['options', { field_type: 'select', options: null }],
    ['options', { field_type: 'select', options: [] }],
    ['options', { field_type: 'select', options: ['a', 'a'] }],
    ['options', { field_type: 'select', options: ['a', ' a '] }],
    ['options.1', { field_type: 'select', options: ['a', ' '] }],
    ['options', { field_type: 'text', options: ['a'] }],
  ])('with an invalid %s is refused: %j', async (named, part) => {
    const body = { name: 'fine', label: 'Fine', field_type: 'text', ...part }
    expect(await failure(await send('POST', '', body))).toEqual(refusedOn(named))
    expect(await admin.call(listFields, {})).toEqual([])
  })

  test('is 409 when its name is taken in any spelling, even by concurrent requests', async () => {
    const names = ['Due date', 'due_date', ' DUE DATE ', 'due date', 'due_date']
    const answers = await Promise.all(names.map(name => send('POST', '', { name, label: 'Due', field_type: 'date' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const lost = answers.find(({ status }) => status === 409)
    expect(lost && (await failure(lost))).toEqual({
      status: 409,
      error: 'name_taken',
      fields: { name: expect.any(String) },
    })
    expect(await admin.call(listFields, {})).toHaveLength(1)
  })
})

describe('a field', () => {
  test('changes only in the given properties', async () => {
    const field = await buildField(admin, { field_type: 'select', options: ['a', 'b'], description: 'Old' })
    const change = async (part: object) => {
      const response = await send('PUT', `/${field.id}`, part)
      expect(response.status).toBe(200)
      return (await response.json()).data
    }
    expect(await change({ label: ' New ' })).toEqual({ ...field, label: 'New' })
    expect(await change({ is_required: true })).toEqual({ ...field, label: 'New', is_required: true })
    expect(await change({ description: null, is_enabled: false, options: ['b', 'c'] })).toEqual({
      ...field,
      label: 'New',
      is_required: true,
      description: null,
      is_enabled: false,
      options: ['b', 'c'],
    })
    expect(await change({})).toMatchObject({ label: 'New' })
  })

  test('keeps its name and its type, and may have options only as a select', async () => {
    const text = await buildField(admin)
    const select = await buildField(admin, { field_type: 'select', options: ['a'] })
    expect(await failure(await send('PUT', `/${text.id}`, { name: 'other' }))).toEqual(refusedOn('name'))
    expect(await failure(await send('PUT', `/${text.id}`, { field_type: 'date' }))).toEqual(refusedOn('field_type'))
    expect(await failure(await send('PUT', `/${text.id}`, { options: ['a'] }))).toEqual(refusedOn('options'))
    expect(await failure(await send('PUT', `/${select.id}`, { options: [] }))).toEqual(refusedOn('options'))
    expect(await admin.call(listFields, {})).toEqual([text, select])
  })

  test('that is unknown is 404 to change and to delete', async () => {
    const { id } = await buildField(admin)
    await admin.call(deleteField, { id })
    const gone = { status: 404, error: 'not_found' }
    expect(await failure(await send('PUT', `/${id}`, { label: 'x' }))).toEqual(gone)
    expect(await failure(await send('PUT', `/${id}`, {}))).toEqual(gone)
    expect(await failure(await admin.raw(`/api/metadata/fields/${id}`, { method: 'DELETE' }))).toEqual(gone)
  })

  test('loses its values on all files when it is deleted, and the files keep everything else', async () => {
    const [kept, gone] = [await buildField(admin, { name: 'kept' }), await buildField(admin, { name: 'gone' })]
    const file = await buildFile(user, {
      metadata: [
        { field_id: kept.id, value: 'stays' },
        { field_id: gone.id, value: 'goes' },
      ],
    })
    await admin.call(deleteField, { id: gone.id })
    const { file: after } = await user.call(getFile, { id: file.id })
    expect(after).toEqual({
      ...file,
      metadata: [{ field_id: kept.id, name: 'kept', label: kept.label, value: 'stays' }],
    })
  })

  test('with many values is deleted with all of them', async () => {
    const [kept, gone] = [await buildField(admin), await buildField(admin)]
    const { db } = server.deps
    await plant(server, user, async (_, owner) => {
      await plantTree(db, owner, 'planted', 4500)
      for (const { id } of [kept, gone]) {
        await db.change(
          "INSERT INTO file_metadata (file_id, field_id, value, value_folded) SELECT id, $1, 'x', 'x' FROM files",
          [id],
        )
      }
    })
    await admin.call(deleteField, { id: gone.id })
    const left = await db.rows('SELECT field_id, COUNT(*) AS n FROM file_metadata GROUP BY field_id')
    const files = await db.row<{ n: number }>('SELECT COUNT(*) AS n FROM files')
    expect(files?.n).toBeGreaterThan(4500)
    expect(left).toEqual([{ field_id: kept.id, n: files?.n }])
  })

  test('leaves neither a value nor an internal error when it is deleted during uploads with values for it', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await buildField(admin)
      const uploads = Array.from({ length: 8 }, () =>
        buildFile(user, { metadata: [{ field_id: id, value: 'x' }] }).catch(error => error),
      )
      await admin.call(deleteField, { id })
      for (const answer of await Promise.all(uploads)) {
        if (answer instanceof Error) expect(answer).toMatchObject({ status: 400, code: 'invalid_input' })
        else expect((await user.call(getFile, { id: answer.id })).file.metadata).toEqual([])
      }
    }
    expect(await server.deps.db.row('SELECT file_id FROM file_metadata')).toBeUndefined()
  })

  test('that another transaction is deleting makes an upload wait, and is unknown to it then', async context => {
    onlyOn('mariadb', context)
    const { id } = await buildField(admin)
    const other = await createConnection(server.databaseFlag ?? '')
    await other.beginTransaction()
    await other.query(`DELETE FROM metadata_fields WHERE id = ${id}`)
    const upload = buildFile(user, { metadata: [{ field_id: id, value: 'x' }] }).catch(error => error)
    const waiting = async () => {
      const [rows] = await other.query(
        `SELECT trx_id FROM information_schema.innodb_trx t JOIN information_schema.processlist p
           ON p.id = t.trx_mysql_thread_id WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
      )
      return (rows as object[]).length
    }
    // MariaDB refreshes the table innodb_trx only when nobody has read it for 0.1 s, so poll more slowly.
    await expect.poll(waiting, { interval: 200, timeout: 30_000 }).toBe(1)
    await other.commit()
    await other.end()
    expect(await upload).toMatchObject({ status: 400, fields: { metadata: expect.any(String) } })
  })
})

describe('the fields of the upload form', () => {
  test('are the enabled ones, for every user who may upload and every type of file', async () => {
    const [first, second] = [await buildField(admin), await buildField(admin)]
    const disabled = await buildField(admin)
    await admin.call(updateField, { id: disabled.id, is_enabled: false })
    for (const input of [{}, { mime_type: 'image/png' }, { mime_type: '' }]) {
      expect(await user.call(listUploadFields, input)).toEqual([first, second])
    }
  })

  test('are none while metadata is turned off', async () => {
    await buildField(admin, { is_required: true })
    await turnSettings(admin, { metadata_enabled: false, metadata_required_on_upload: true })
    const fields = await user.call(listUploadFields, {})
    await turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: false })
    expect(fields).toEqual([])
  })
})
