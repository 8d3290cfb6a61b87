/** The metadata of files: set at upload, changed and removed later, each value checked by the type of its field. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles, setFileMetadata } from '../../src/api/files.ts'
import type { ItemMetadata } from '../../src/api/items.ts'
import { type FieldType, type MetadataField, updateField } from '../../src/api/metadata.ts'
import { parseUrl } from '../../src/base/parse-url.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType, type Part } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
let fields: Record<FieldType, MetadataField>
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  user = await buildUser(server)
  const build = (field_type: FieldType) =>
    buildField(admin, {
      name: `the_${field_type}`,
      label: `The ${field_type}`,
      field_type,
      options: field_type === 'select' ? ['Draft', 'Fínal'] : undefined,
    })
  fields = {
    text: await build('text'),
    textarea: await build('textarea'),
    number: await build('number'),
    date: await build('date'),
    checkbox: await build('checkbox'),
    email: await build('email'),
    url: await build('url'),
    select: await build('select'),
  }
})
afterAll(() => server.close())

const entry = (type: FieldType, value: string) => ({ field_id: fields[type].id, value })
const shown = (type: FieldType, value: string): ItemMetadata => {
  const { id, name, label } = fields[type]
  return { field_id: id, name, label, value }
}
const refusedOn = (field: string) => ({ status: 400, error: 'invalid_input', fields: { [field]: expect.any(String) } })
const json = { 'content-type': 'application/json' }
const put = (id: number, metadata: unknown) =>
  user.raw(`/api/files/${id}/metadata`, { method: 'PUT', headers: json, body: JSON.stringify({ metadata }) })
const send = (...parts: Part[]) =>
  user.raw('/api/files/upload', {
    method: 'POST',
    headers: { 'content-type': multipartType },
    body: multipartBody(parts),
  })
const filePart = (value: string | Buffer = 'content'): Part => ({ name: 'file', fileName: 'part.txt', value })
const metadataPart = (value: unknown): Part => ({ name: 'metadata', value: JSON.stringify(value) })

const good: [FieldType, string][] = [
  ['text', 'Ärger & <b>'],
  ['text', 'x'.repeat(10_000)],
  ['textarea', 'one\n\ttwo\r\nthree'],
  ['number', '0'],
  ['number', '-12.50'],
  ['number', '.5'],
  ['date', '2024-02-29'],
  ['date', '0001-01-01'],
  ['checkbox', 'true'],
  ['checkbox', 'false'],
  ['email', 'a.b+c@example.org'],
  ['url', 'http://localhost:8080/a?b=c#d'],
  ['url', 'HTTPS://exämple.org/ü'],
  ['select', 'Draft'],
]

const bad: [FieldType, string][] = [
  ['text', 'two\nlines'],
  ['text', 'nul\u0000'],
  ['text', 'half \ud800'],
  ['textarea', 'escape \u001b[2J'],
  ['number', '1,5'],
  ['number', '1e5'],
  ['number', '0x10'],
  ['number', '١٢'],
  ['number', 'NaN'],
  ['number', '5.'],
  ['number', '+1'],
  ['date', '2023-02-29'],
  ['date', '2024-13-01'],
  ['date', '2024-1-1'],
  ['date', '01.02.2024'],
  ['date', '2024-01-01T00:00:00Z'],
  ['checkbox', 'TRUE'],
  ['checkbox', '1'],
  ['email', 'nobody'],
  ['email', 'a b@example.org'],
  ['url', 'javascript:alert(1)'],
  ['url', 'ftp://example.org'],
  ['url', 'http:example.org'],
  ['url', 'http://'],
  ['url', 'http://a\nb'],
  ['select', 'draft'],
  ['select', 'Draft,Fínal'],
]

describe('a metadata value', () => {
  test.each(good)('of a %s may be %j', async (type, value) => {
    const file = await buildFile(user, { metadata: [entry(type, value)] })
    expect(file.metadata).toEqual([shown(type, value)])
    expect((await user.call(getFile, { id: file.id })).file.metadata).toEqual([shown(type, value)])
  })

  test.each(bad)('of a %s may not be %j, in an upload or a later change', async (type, value) => {
    const refused = refusedOn(`the_${type}`)
    expect(await failure(await send(metadataPart([entry(type, value)]), filePart()))).toEqual(refused)
    expect(await failure(await send(filePart(), metadataPart([entry(type, value)])))).toEqual(refused)
    const file = await buildFile(user)
    expect(await failure(await put(file.id, [entry(type, value)]))).toEqual(refused)
    expect((await user.call(getFile, { id: file.id })).file).toEqual(file)
  })

  test('is stored without surrounding white space and in Unicode form NFC, like the options', async () => {
    const file = await buildFile(user, {
      metadata: [entry('text', '  a b '), entry('number', ' 1 '), entry('select', ' Fi\u0301nal\n')],
    })
    expect(file.metadata).toEqual([shown('text', 'a b'), shown('number', '1'), shown('select', 'Fínal')])
  })

  test('that is blank is not stored', async () => {
    const file = await buildFile(user, { metadata: [entry('text', ''), entry('date', ' \n '), entry('select', '')] })
    expect(file.metadata).toEqual([])
  })

  test('is kept when its option is removed or its field is disabled, and can still be removed', async () => {
    const field = await buildField(admin, { field_type: 'select', options: ['old', 'new'] })
    const file = await buildFile(user, { metadata: [{ field_id: field.id, value: 'old' }] })
    await admin.call(updateField, { id: field.id, options: ['new'], is_enabled: false })
    expect((await user.call(getFile, { id: file.id })).file).toEqual(file)
    expect(await failure(await put(file.id, [{ field_id: field.id, value: 'new' }]))).toEqual(refusedOn('metadata'))
    const { metadata } = (
      await user.call(setFileMetadata, { id: file.id, metadata: [{ field_id: field.id, value: ' ' }] })
    ).file
    expect(metadata).toEqual([])
    await expect(buildFile(user, { metadata: [{ field_id: field.id, value: 'new' }] })).rejects.toMatchObject({
      status: 400,
      fields: { metadata: expect.any(String) },
    })
  })
})

describe('an upload', () => {
  test.each<[string, unknown]>([
    ['an object', {}],
    ['a text', 'text'],
    ['null', null],
    ['a list of lists', [[1, 'a']]],
    ['an id in a text', [{ field_id: '1', value: 'a' }]],
    ['a value that is no text', [{ field_id: 1, value: 5 }]],
    ['a value that is missing', [{ field_id: 1 }]],
    ['an unknown part', [{ field_id: 1, value: 'a', name: 'x' }]],
    ['too long a value', [{ field_id: 1, value: 'x'.repeat(10_001) }]],
    ['a field twice', [1, 1].map(field_id => ({ field_id, value: 'a' }))],
    ['a field that is not there', [{ field_id: 999_999, value: 'a' }]],
    ['more values than may be', Array.from({ length: 201 }, (_, n) => ({ field_id: n + 1, value: '' }))],
  ])('with invalid metadata is refused and leaves nothing: %s', async (_what, value) => {
    const before = await readHoldings(server)
    const big = filePart(randomBytes(100_000))
    for (const parts of [
      [metadataPart(value), big],
      [big, metadataPart(value)],
    ]) {
      const answer = await failure(await send(...parts))
      expect(answer).toMatchObject({ status: 400, error: 'invalid_input' })
      expect(Object.keys(answer.fields ?? {})[0]).toMatch(/^metadata/)
    }
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('that replaces a file keeps values that it does not send, or sends empty', async () => {
    const name = 'replaced.txt'
    await buildFile(user, { name, metadata: [entry('text', 'old'), entry('number', '1'), entry('date', '2024-01-01')] })
    const replaced = await buildFile(user, {
      name,
      on_conflict: 'replace',
      metadata: [entry('text', 'new'), entry('number', ''), entry('checkbox', 'true')],
    })
    const expected = [
      shown('text', 'new'),
      shown('number', '1'),
      shown('date', '2024-01-01'),
      shown('checkbox', 'true'),
    ]
    expect(replaced.metadata).toEqual(expected)
    expect((await buildFile(user, { name, on_conflict: 'replace' })).metadata).toEqual(expected)
  })

  test('that gets a numbered name has only its own metadata', async () => {
    await buildFile(user, { name: 'twice.txt', metadata: [entry('text', 'first')] })
    expect((await buildFile(user, { name: 'twice.txt' })).metadata).toEqual([])
  })

  test('with metadata is 400 while metadata is turned off, except for an empty list', async () => {
    await turnSettings(admin, { metadata_enabled: false })
    const answers = [
      await send(metadataPart([entry('text', 'a')]), filePart()),
      await send(filePart(), metadataPart([entry('text', '')])),
      await put((await buildFile(user)).id, [entry('text', 'a')]),
    ]
    const empty = [await send(metadataPart([]), filePart()), await put((await buildFile(user)).id, [])]
    await turnSettings(admin, { metadata_enabled: true })
    for (const answer of answers) expect(await failure(answer)).toEqual(refusedOn('metadata'))
    expect(empty.map(({ status }) => status)).toEqual([201, 200])
  })
})

describe('the metadata of a file', () => {
  test('changes in the given values and in no others', async () => {
    const file = await buildFile(user, { metadata: [entry('text', 'a'), entry('number', '1')] })
    const set = async (...metadata: object[]) => (await (await put(file.id, metadata)).json()).data.file.metadata
    expect(await set(entry('text', 'b'), entry('url', 'https://a.b'))).toEqual([
      shown('text', 'b'),
      shown('number', '1'),
      shown('url', 'https://a.b'),
    ])
    expect(await set(entry('text', ' '), entry('email', ''))).toEqual([
      shown('number', '1'),
      shown('url', 'https://a.b'),
    ])
    expect(await set()).toEqual([shown('number', '1'), shown('url', 'https://a.b')])
  })

  test('changes no other field of the file, but changes the ETag of the listing', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id })
    const etag = async () => (await user.raw(`/api/files?parent_id=${folder.id}`)).headers.get('etag')
    const before = await etag()
    const { file: after } = await user.call(setFileMetadata, { id: file.id, metadata: [entry('text', 'a')] })
    expect(after).toEqual({ ...file, metadata: [shown('text', 'a')] })
    expect(await etag()).not.toBe(before)
  })

  test('has the values of one request when ten set it at the same time', async () => {
    const file = await buildFile(user)
    const values = Array.from({ length: 10 }, (_, n) => `value ${n}`)
    const answers = await Promise.all(
      values.map(value => put(file.id, [entry('text', value), entry('textarea', value)])),
    )
    expect(answers.map(({ status }) => status)).toEqual(values.map(() => 200))
    const [text, textarea] = (await user.call(getFile, { id: file.id })).file.metadata
    expect(values).toContain(text?.value)
    expect(textarea?.value).toBe(text?.value)
  })

  test('is 404 for a folder, a trashed file and another user’s file', async () => {
    const folder = await buildFolder(user)
    const trashed = await buildFile(user)
    await user.raw(`/api/files/${trashed.id}/trash`, { method: 'PUT' })
    const foreign = await buildFile(admin)
    for (const { id } of [folder, trashed, foreign]) {
      expect(await failure(await put(id, [entry('text', 'a')]))).toEqual({ status: 404, error: 'not_found' })
    }
    expect((await user.call(listFiles, { only: 'folders' })).folders.map(({ id }) => id)).toContain(folder.id)
  })
})

test('an address with letters such as ü is valid however many have been looked at', () => {
  const address = 'https://exämple.org/ü'
  const refused = Array.from({ length: 100_000 }, () => parseUrl(address)).filter(url => url === null)
  expect(refused).toEqual([])
})
