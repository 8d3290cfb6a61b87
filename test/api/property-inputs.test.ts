/**
 * Every call against inputs that no client should send: 400 with the field's name, never a 5xx, and nothing changed.
 * `FILESTORE_TEST_SEED` tries others than the usual ones; a failure prints the seed that repeats it.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, pathParams } from '../../src/api/endpoint.ts'
import { maxJsonBytes, maxJsonDepth, maxPublicBodyBytes } from '../../src/api/limits.ts'
import type { JsonSchema } from '../../src/http/openapi/schemas.ts'
import { callOf, contract, type NamedEndpoint } from '../support/contract.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { hostileText, hostileValue, isWrong, isWrongText } from '../support/hostile.ts'
import { rounds, seed } from '../support/rounds.ts'
import { type Fields, inputForms, sampleInput } from '../support/sample-input.ts'
import { type Input, readRefusal, sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let caller: BuiltUser

beforeAll(async () => {
  server = await startServer()
  // May call everything, so that nothing is refused before its input is looked at.
  caller = await buildUser(server, { role: 'admin' })
  await buildFile(caller)
})
afterAll(() => server.close())

const send = (endpoint: Endpoint, input: Input) => sendInput(caller, endpoint, input)

const runs = (few: number) => ({
  seed,
  numRuns: rounds(few, 4 * few),
  interruptAfterTimeLimit: 40_000,
  markInterruptAsFailure: true,
})

const isText = (endpoint: Endpoint, name: string): boolean =>
  !endpoint.carrier.startsWith('json') || pathParams(endpoint.path).includes(name)

/** Fails unless the answer is 400 and names the field, or one inside it. */
async function expectNamed(endpoint: Endpoint, input: Input, field: string): Promise<void> {
  expect(await readRefusal(await send(endpoint, input))).toMatchObject({
    status: 400,
    error: 'invalid_input',
    named: expect.arrayContaining([expect.stringMatching(new RegExp(`^${field}(\\.|$)`))]),
  })
}

const tables =
  'files blobs blob_bytes users roles role_permissions api_keys tags file_tags metadata_fields file_metadata events'

/** How many rows there are of everything that a call can make or take away. */
async function countRows(): Promise<object | undefined> {
  const counts = tables.split(' ').map(table => `(SELECT COUNT(*) FROM ${table}) AS ${table}`)
  return server.deps.db.row<object>(`SELECT ${counts.join()}, (SELECT SUM(storage_used) FROM spaces) AS used`)
}

const oneForm = (endpoint: Endpoint) => fc.constantFrom(...inputForms(endpoint))
const fieldOf = (fields: Fields) => fc.constantFrom(...Object.keys(fields))

/** Segments that a client resolves or that leave the path without its parameter. */
const isPath = (endpoint: Endpoint, name: string, text: string): boolean =>
  pathParams(endpoint.path).includes(name) && ['', '.', '..'].includes(text)

/** The values of a field that the document rules out: texts, or any JSON. */
function wrongValues(endpoint: Endpoint, name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (isText(endpoint, name)) {
    return hostileText.filter(text => !isPath(endpoint, name, text) && isWrongText(schema, text))
  }
  return hostileValue.filter(one => isWrong(schema, one))
}

/** The fields of a form for which a value can be wrong at all; of some, any text is right. */
const fieldsWithWrong = (endpoint: Endpoint, fields: Fields): [string, JsonSchema][] =>
  Object.entries(fields).filter(
    ([name, schema]) =>
      !isText(endpoint, name) || fc.sample(hostileText, { seed, numRuns: 50 }).some(text => isWrongText(schema, text)),
  )

/** Whether every call reads a body that long, also those of nobody in particular. */
const isRead = (input: Input): boolean => Buffer.byteLength(JSON.stringify(input)) <= maxPublicBodyBytes

/** A right input but for one field, whose value the document rules out. */
function wrongField(endpoint: Endpoint): fc.Arbitrary<{ name: string; input: Input }> {
  const choices = inputForms(endpoint).flatMap(fields =>
    fieldsWithWrong(endpoint, fields).map(([name, schema]) =>
      wrongValues(endpoint, name, schema).map(wrong => ({ name, input: { ...sampleInput(fields), [name]: wrong } })),
    ),
  )
  return fc.oneof(...choices).filter(({ input }) => isRead(input))
}

const hasWrong = (endpoint: Endpoint): boolean =>
  inputForms(endpoint).some(fields => fieldsWithWrong(endpoint, fields).length > 0)

const named = (calls: readonly NamedEndpoint[]): [string, Endpoint][] =>
  calls.map(({ name, endpoint }) => [name, endpoint])
const withInput = contract.filter(({ endpoint }) => inputForms(endpoint).some(fields => Object.keys(fields).length > 0))

describe('a wrong value', () => {
  test.each(named(withInput.filter(({ endpoint }) => hasWrong(endpoint))))(
    'in %s is 400 with the field',
    async (_name, endpoint) => {
      const before = await countRows()
      await fc.assert(
        fc.asyncProperty(wrongField(endpoint), ({ input, name }) => expectNamed(endpoint, input, name)),
        runs(25),
      )
      expect(await countRows()).toEqual(before)
    },
  )
})

/** In a path, query or form the text itself; in JSON the number, where it is one. */
const noIds = ['0', '-1', '1.5', '1e3', '1e20', '9007199254740993', ' 1', '1 ', '01', '+1', '0x1', '٣', 'abc', 'NaN']

const idFields = contract.flatMap(({ name, endpoint }) =>
  inputForms(endpoint).flatMap(fields =>
    Object.keys(fields)
      .filter(field => /^(\w+_)?ids?$/.test(field))
      .map(field => [`${field} of ${name}`, endpoint, fields, field] as const),
  ),
)

describe('an id that is none', () => {
  test.each(idFields)('is refused as %s', async (_name, endpoint, fields, field) => {
    for (const text of noIds) {
      const isNumber = !isText(endpoint, field) && String(Number(text)) !== 'NaN' && text.trim() === text
      const id = isNumber ? Number(text) : text
      // As JSON, 1e3 and 01 are the numbers that they look like.
      if (isNumber && Number.isSafeInteger(id) && Number(id) > 0) continue
      await expectNamed(endpoint, { ...sampleInput(fields), [field]: field.endsWith('s') ? [id] : id }, field)
    }
  })
})

describe('anything at all', () => {
  test.each(named(withInput))('in %s is answered, and never with a 5xx', async (_name, endpoint) => {
    const anything = oneForm(endpoint).chain(fields =>
      fc
        .dictionary(fieldOf(fields), fc.oneof(hostileText, hostileValue), { minKeys: 1, noNullPrototype: true })
        .map(wrong => ({ ...sampleInput(fields), ...wrong })),
    )
    await fc.assert(
      fc.asyncProperty(anything, async input => {
        const response = await send(endpoint, input)
        await response.arrayBuffer()
        expect(response.status).toBeLessThan(500)
      }),
      runs(25),
    )
  })
})

describe('a body', () => {
  const withBody = contract.filter(({ endpoint }) => endpoint.carrier.startsWith('json'))
  const raw = (endpoint: Endpoint, body: string) =>
    caller.raw(`/api${endpoint.path.replace(/:\w+/g, '999999999')}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json' },
      body,
    })

  test.each([
    ['nested too deep', `{"a":${'['.repeat(maxJsonDepth)}${']'.repeat(maxJsonDepth)}}`, 400, 'invalid_input'],
    ['nested without end', `{"a":${'['.repeat(10_000)}`, 400, 'invalid_input'],
    ['too long', `{"a":"${'x'.repeat(maxJsonBytes)}"}`, 413, 'body_too_large'],
    ['that is a list', '[]', 400, 'invalid_input'],
    ['that is null', 'null', 400, 'invalid_input'],
    ['that is no JSON', '{"a":', 400, 'invalid_input'],
  ])('%s is refused by every call', async (_what, body, status, error) => {
    for (const { endpoint } of withBody) {
      const response = await raw(endpoint, body)
      expect({ call: callOf(endpoint), ...(await readRefusal(response)) }).toMatchObject({
        call: callOf(endpoint),
        status,
        error,
      })
    }
  })
})
