/** No single request blocks the event loop for long, whatever its body contains. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxJsonBytes, maxLongJsonBytes, maxMetadataValueLength } from '../../src/api/limits.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildField, buildFile, buildUser } from '../support/factories.ts'
import { findLongestPause, shortPause } from '../support/longest-pause.ts'
import { plantRenames } from '../support/planting.ts'
import { sampleInput, type TextField, textFieldsOf } from '../support/sample-input.ts'
import { sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  // An administrator may make every call, so no call is refused before its input is validated.
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

/** Two characters that NFKC normalization turns into a run of marks to sort; U+FF9E is no mark by its category. */
const pair = '\u0301\uff9e'
const pairBytes = 5
const pairs = (bytes: number): string => `a${pair.repeat(bytes / pairBytes)}`

/** The bytes of a text that fit into a request line when each is escaped, and those of a form field. */
const queryBytes = 5000
const formFieldBytes = 60_000

function hostileText({ endpoint, field }: TextField): string {
  if (endpoint.carrier.startsWith('multipart')) return pairs(formFieldBytes)
  const inQuery = endpoint.carrier === 'query' || endpoint.path.includes(`:${field}`)
  return pairs(inQuery ? queryBytes : maxJsonBytes - 2000)
}

/** The longest pause of the event loop (ms), and the status of the answer. */
async function pauseOf(send: () => Promise<Response>): Promise<{ pause: number; status: number }> {
  let status = 0
  const pause = await findLongestPause(async () => {
    const response = await send()
    await response.body?.cancel()
    status = response.status
  })
  return { pause, status }
}

const shortRefusal = { pause: expect.toSatisfy((ms: number) => ms < shortPause), status: 400 }

const sendJson = (path: string, method: string, body: string) => () =>
  admin.raw(path, { method, headers: { 'content-type': 'application/json' }, body })

describe('a text with marks that normalization must sort', () => {
  const fields = textFieldsOf(contract)
  test.each(fields.map(field => ({ call: field.name, of: field.field, field })))(
    'is refused without a long pause as $of of $call',
    async ({ field }) => {
      const { endpoint, fields } = field
      const input = { ...sampleInput(fields), [field.field]: hostileText(field) }
      const answer = await pauseOf(() => sendInput(admin, endpoint, input))
      expect(answer).toMatchObject({ pause: shortRefusal.pause })
      // 431: a path that is too long.
      expect([400, 401, 404, 413, 431]).toContain(answer.status)
    },
  )

  test('is refused without a long pause in metadata values', async () => {
    const file = await buildFile(admin)
    const count = Math.floor(maxLongJsonBytes / (1.1 * pairBytes * (maxMetadataValueLength / 2)))
    const value = pair.repeat(maxMetadataValueLength / 2)
    const metadata = Array.from({ length: count }, (_, index) => ({ field_id: index + 1, value }))
    const send = sendJson(`/api/files/${file.id}/metadata`, 'PUT', JSON.stringify({ metadata }))
    expect(await pauseOf(send)).toMatchObject(shortRefusal)
  })

  test('is refused without a long pause in a list of options', async () => {
    const options = Array.from({ length: 100 }, (_, index) => index + pairs(10_000))
    const field = { name: 'choice', label: 'Choice', field_type: 'select', options }
    expect(await pauseOf(sendJson('/api/metadata/fields', 'POST', JSON.stringify(field)))).toMatchObject(shortRefusal)
  })

  test('is refused without a long pause as the name of an uploaded file', async () => {
    const form = new FormData()
    form.set('file', new Blob(['x']), pairs(10_000))
    expect(await pauseOf(() => admin.raw('/api/files/upload', { method: 'POST', body: form }))).toMatchObject(
      shortRefusal,
    )
  })
})

describe('metadata that fills the whole body', () => {
  /** Sends values of a field type, each with this start and this many characters. */
  async function saveValues(type: 'text' | 'url', start: string, filler: string, characters: number) {
    const file = await buildFile(admin)
    const bytes = Buffer.byteLength(start + filler.repeat(characters / filler.length))
    const count = Math.floor((maxLongJsonBytes * 0.98) / (bytes + 40))
    const value = start + filler.repeat(characters / filler.length)
    const metadata: unknown[] = []
    for (let index = 0; index < count; index++) {
      metadata.push({ field_id: (await buildField(admin, { field_type: type })).id, value })
    }
    return pauseOf(sendJson(`/api/files/${file.id}/metadata`, 'PUT', JSON.stringify({ metadata })))
  }

  test('is refused without a long pause, even when each character folds to eighteen letters', async () => {
    const answer = await saveValues('text', '', '\ufdfa', maxMetadataValueLength)
    expect(answer).toMatchObject(shortRefusal)
  })

  test('is refused without a long pause when it is URLs of the greatest length', async () => {
    const host = `${'\u0301\u0316'.repeat(15)}\u00ad`
    const answer = await saveValues('url', 'http://a', host, 300 * host.length)
    expect(answer).toMatchObject(shortRefusal)
  })
})

test('the activity of a file with ten thousand renames causes no long pause, even for eight concurrent requests', async () => {
  const { id } = await buildFile(admin)
  await plantRenames(server, admin, id, 10_000)
  const read = async () => {
    const response = await admin.raw(`/api/files/${id}/events`)
    await response.arrayBuffer()
    return response.status
  }
  const statuses: number[] = []
  const pause = await findLongestPause(async () => {
    statuses.push(...(await Promise.all(Array.from({ length: 8 }, read))))
  })
  expect({ pause, status: Math.max(...statuses) }).toEqual({ ...shortRefusal, status: 200 })
})

describe('a query of thousands of fields', () => {
  // As many as the request line may hold.
  const queries = [
    { kind: 'the same name', query: 'q&'.repeat(15_000) },
    { kind: 'a name each', query: Array.from({ length: 4500 }, (_, index) => `q${index}`).join('&') },
  ]
  const calls = [
    { call: 'a call without an account', path: '/api/openapi.json', method: 'GET' },
    { call: 'a sign-in', path: '/api/auth/login', method: 'POST' },
    { call: 'a search', path: '/api/files/search', method: 'GET' },
  ]
  const cases = queries.flatMap(query => calls.map(call => ({ ...query, ...call })))
  test.each(cases)('with $kind is refused without a long pause for $call', async ({ query, path, method }) => {
    const answer = await pauseOf(() => admin.raw(`${path}?${query}`, { method }))
    expect(answer).toMatchObject(shortRefusal)
  })
})

describe('a body with many parts', () => {
  const sendForm = (body: string) => () =>
    admin.raw('/api/files/archive', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  const sendLong = (body: string) => sendJson('/api/files/1/metadata', 'PUT', body)
  const names = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`)
  const ofNames = (count: number) => JSON.stringify(Object.fromEntries(names(count).map(name => [name, 1])))

  test.each([
    ['a form of one field again and again', sendForm('ids=x&'.repeat(10_000))],
    ['a form of ids', sendForm('ids=1&'.repeat(10_000))],
    ['a form of different fields', sendForm(names(8_000).join('=&'))],
    ['an object of unknown fields', sendLong(ofNames(90_000))],
    ['an object of unknown fields in a list', sendLong(`{"metadata":[${ofNames(90_000)}]}`)],
    ['a list of ids', sendLong(`{"metadata":[${'1,'.repeat(500_000)}1]}`)],
    ['a list of wrong entries', sendLong(`{"metadata":[${'"",'.repeat(300_000)}1]}`)],
    ['lists in a list', sendLong(`{"metadata":[${'[],'.repeat(300_000)}1]}`)],
    ['lists in lists', sendLong(`{"metadata":[${`[${'[],'.repeat(900)}1],`.repeat(380)}1]}`)],
    ['lists without end', sendLong('['.repeat(1_000_000))],
  ])('is refused without a long pause: %s', async (_what, send) => {
    expect(await pauseOf(send)).toMatchObject(shortRefusal)
  })
})
