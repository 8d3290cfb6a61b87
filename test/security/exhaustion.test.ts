/** No single input uses up memory or time: every text, list and tree has a limit that the server checks first. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFolder } from '../../src/api/files.ts'
import { maxJsonBytes, maxPasswordBytes } from '../../src/api/limits.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { type Fields, inputForms, sampleInput, textFieldsOf } from '../support/sample-input.ts'
import { type Input, readRefusal, sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'

let server: TestServer
let admin: BuiltUser
let linkToken: string
beforeAll(async () => {
  server = await startServer()
  // An administrator may make every call, so no call is refused before its input is validated.
  admin = await buildUser(server, { role: 'admin' })
  linkToken = (await buildLink(admin, await buildFolder(admin), { level: 'both' })).token
})
afterAll(() => server.close())

/** A valid input; visitors' calls look at the link first, so they are made by one that works. */
const inputFor = (fields: Fields): Input => ({
  ...sampleInput(fields),
  ...('token' in fields ? { token: linkToken } : {}),
})

/** Combining marks that normalization must sort, which takes quadratic time. */
const marks = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}`
/**
 * The longest run of marks in any text that was normalized; the spy sees this because the server runs in this process.
 */
function watchNormalising(): () => number {
  const spy = vi.spyOn(String.prototype, 'normalize')
  onTestFinished(() => spy.mockRestore())
  const longest = (text: unknown) => Math.max(0, ...(String(text).match(/\p{M}+/gu) ?? []).map(run => run.length))
  return () => Math.max(0, ...spy.mock.contexts.map(longest))
}

describe('a text', () => {
  const textFields = textFieldsOf(contract)

  test('with thousands of combining marks is normalized in no field of any call', async () => {
    const longest = watchNormalising()
    for (const { endpoint, fields, field } of textFields) {
      const inQuery = endpoint.carrier === 'query' || endpoint.path.includes(`:${field}`)
      const response = await sendInput(admin, endpoint, {
        ...sampleInput(fields),
        [field]: marks(inQuery ? 400 : 4000),
      })
      await response.body?.cancel()
      expect({ field, status: response.status }).toMatchObject({ status: expect.not.stringMatching(/^5/) })
    }
    expect(textFields.length).toBeGreaterThan(30)
    expect(longest()).toBeLessThanOrEqual(30)
  })

  test('with thousands of combining marks is normalized in no metadata value, filter or file name', async () => {
    const longest = watchNormalising()
    const field = await buildField(admin)
    const file = await buildFile(admin)
    const values = [{ field_id: field.id, value: marks(4000) }]
    const setMetadata = await admin.raw(`/api/files/${file.id}/metadata`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: values }),
    })
    expect(await readRefusal(setMetadata)).toMatchObject({ status: 400, named: ['metadata.0.value'] })
    const filter = `meta=${field.name}:${encodeURIComponent(marks(400))}`
    expect((await admin.raw(`/api/files/search?q=abc&${filter}`)).status).toBe(400)
    const form = new FormData()
    form.set('file', new Blob(['x']), marks(4000))
    expect((await admin.raw('/api/files/upload', { method: 'POST', body: form })).status).toBe(400)
    expect(longest()).toBeLessThanOrEqual(30)
  })

  test('with the number of marks that real names have is accepted', async () => {
    const name = `z\u0324\u0323\u0301\u0302${'\u0316'.repeat(26)}`
    expect((await admin.call(createFolder, { name })).file.name).toBe(name.normalize('NFC'))
  })

  test('that fills the whole body is refused by every call', async () => {
    const long = 'x'.repeat(maxJsonBytes - 2000)
    const inBody = textFields.filter(
      ({ endpoint, field }) => endpoint.carrier === 'json' && !endpoint.path.includes(field),
    )
    for (const { name, endpoint, fields, field } of inBody) {
      const refusal = await readRefusal(await sendInput(admin, endpoint, { ...inputFor(fields), [field]: long }))
      // Public calls such as login have a smaller limit for the body.
      const expected =
        name === 'login' || name === 'unlockLink'
          ? { status: 413, error: 'body_too_large', named: [] }
          : { status: 400, error: 'invalid_input', named: [field] }
      expect({ name, field, ...refusal }).toEqual({ name, field, ...expected })
    }
  })
})

describe('a password', () => {
  const tooLong = 'ü'.repeat(maxPasswordBytes / 2 + 1)
  const passwordFields = contract.flatMap(({ name, endpoint }) =>
    inputForms(endpoint).flatMap(fields =>
      Object.keys(fields)
        .filter(field => field.endsWith('password'))
        .map(field => ({ name, endpoint, fields, field })),
    ),
  )

  test('of more than 1 kB is refused by every call, and is never hashed', async () => {
    const hashes = [vi.spyOn(server.deps.passwords, 'hash'), vi.spyOn(server.deps.passwords, 'verify')]
    for (const { name, endpoint, fields, field } of passwordFields) {
      const refusal = await readRefusal(await sendInput(admin, endpoint, { ...inputFor(fields), [field]: tooLong }))
      expect({ name, field, ...refusal }).toEqual({ name, field, status: 400, error: 'invalid_input', named: [field] })
    }
    expect(passwordFields.map(({ name }) => name).sort()).toEqual(
      [
        ...['changePassword', 'changePassword', 'createApiKey', 'createLink', 'createUser', 'login', 'unlockLink'],
        ...['updateLink', 'updateUser'],
      ].sort(),
    )
    for (const hash of hashes) {
      expect(hash).not.toHaveBeenCalled()
      hash.mockRestore()
    }
  })
})

describe('a list', () => {
  test('longer than its limit is refused by every call', async () => {
    const lists = contract.flatMap(({ name, endpoint }) =>
      inputForms(endpoint).flatMap(fields =>
        Object.entries(fields).flatMap(([field, { type, maxItems }]) =>
          type === 'array' ? [{ name, endpoint, fields, field, maxItems: Number(maxItems) }] : [],
        ),
      ),
    )
    expect(lists.length).toBeGreaterThan(5)
    for (const { name, endpoint, fields, field, maxItems } of lists) {
      expect({ name, field, isBound: maxItems <= 1000 }).toEqual({ name, field, isBound: true })
      const input = inputFor(fields)
      const [entry = { field_id: 1, value: 'x' }] = (input[field] ?? []) as unknown[]
      const many = Array.from({ length: maxItems + 1 }, () => entry)
      const refusal = await readRefusal(await sendInput(admin, endpoint, { ...input, [field]: many }))
      expect({ name, field, ...refusal }).toMatchObject({ name, field, status: 400, named: [field] })
    }
  })
})
