/**
 * Random invalid inputs for every call: the answer is 400 with the name of the field, never a 5xx, and nothing changes.
 * `FILESTORE_TEST_SEED` tries other inputs; a failure prints the seed that repeats it.
 */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { followChanges } from '../../src/api/changes.ts'
import { type Endpoint, pathParams } from '../../src/api/endpoint.ts'
import { maxJsonDepth, maxLongJsonBytes, maxPublicBodyBytes } from '../../src/api/limits.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import type { JsonSchema } from '../../src/http/openapi/schemas.ts'
import { callOf, contract, type NamedEndpoint } from '../support/contract.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { hostileText, hostileValue, isWrong, isWrongText } from '../support/hostile.ts'
import { areSeveral } from '../support/only-on.ts'
import { rounds, seed } from '../support/rounds.ts'
import { type Fields, inputForms, sampleInput } from '../support/sample-input.ts'
import { type Input, readRefusal, sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, newLinkRules } from '../support/visitor.ts'

let server: TestServer
let caller: BuiltUser
let linkToken: string

beforeAll(async () => {
  server = await startServer()
  // An administrator may make every call, so no call is refused before its input is validated.
  caller = await buildUser(server, { role: 'admin' })
  await buildFile(caller)
  await useNewLink()
})
afterAll(() => server.close())

/** Visitors' calls look at the link first, so they are made by one that works. */
async function useNewLink(): Promise<void> {
  await caller.call(updateSharingSettings, newLinkRules)
  const folder = await buildFolder(caller)
  linkToken = (await buildLink(caller, folder, { level: 'both' })).token
}

const send = (endpoint: Endpoint, input: Input) =>
  sendInput(caller, endpoint, 'token' in input ? { ...input, token: linkToken } : input)

const runs = (few: number, all: number) => ({
  seed,
  numRuns: rounds(few, all),
  interruptAfterTimeLimit: 40_000,
  markInterruptAsFailure: true,
})

const isText = (endpoint: Endpoint, name: string): boolean =>
  !endpoint.carrier.startsWith('json') || pathParams(endpoint.path).includes(name)

/** Fails unless the answer is 400 and names the field, or a field inside it. */
async function expectNamed(endpoint: Endpoint, input: Input, field: string): Promise<void> {
  const response = await send(endpoint, input)
  // The answer to HEAD has no body.
  if (endpoint.method === 'HEAD') return expect(response.status).toBe(400)
  expect(await readRefusal(response)).toMatchObject({
    status: 400,
    error: 'invalid_input',
    named: expect.arrayContaining([expect.stringMatching(new RegExp(`^${field}(\\.|$)`))]),
  })
}

const tables =
  'files blobs blob_bytes users roles role_permissions api_keys tags file_tags metadata_fields file_metadata events'

/** The number of rows in each table that a call can change. */
async function countRows(): Promise<object | undefined> {
  const counts = tables.split(' ').map(table => `(SELECT COUNT(*) FROM ${table}) AS ${table}`)
  return server.deps.db.row<object>(`SELECT ${counts.join()}, (SELECT SUM(storage_used) FROM spaces) AS used`)
}

const oneForm = (endpoint: Endpoint) => fc.constantFrom(...inputForms(endpoint))
const fieldOf = (fields: Fields) => fc.constantFrom(...Object.keys(fields))

/** Whether a client would resolve the segment, the path would lose its parameter, or nginx would refuse it by itself. */
const isPath = (endpoint: Endpoint, name: string, text: string): boolean =>
  pathParams(endpoint.path).includes(name) && (['', '.', '..'].includes(text) || (areSeveral && /\0|\.\./.test(text)))

/** The values of a field that the OpenAPI document excludes: texts, or any JSON. */
function wrongValues(endpoint: Endpoint, name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (isText(endpoint, name)) {
    return hostileText.filter(text => !isPath(endpoint, name, text) && isWrongText(schema, text))
  }
  return hostileValue.filter(one => isWrong(schema, one))
}

/** The fields of a form that can have a wrong value; some fields accept any text. */
const fieldsWithWrong = (endpoint: Endpoint, fields: Fields): [string, JsonSchema][] =>
  Object.entries(fields).filter(
    ([name, schema]) =>
      // A link that is none is answered before its call's input is looked at.
      name !== 'token' &&
      (!isText(endpoint, name) ||
        fc.sample(hostileText, { seed, numRuns: 50 }).some(text => isWrongText(schema, text))),
  )

/** Whether the call reads a body of this length, even if it is public. */
const isRead = (endpoint: Endpoint, input: Input): boolean =>
  !endpoint.carrier.startsWith('json') || Buffer.byteLength(JSON.stringify(input)) <= maxPublicBodyBytes

/** For each field, valid inputs except for that field, whose value the OpenAPI document excludes. */
const wrongFields = (endpoint: Endpoint): { name: string; inputs: fc.Arbitrary<Input> }[] =>
  inputForms(endpoint).flatMap(fields =>
    fieldsWithWrong(endpoint, fields).map(([name, schema]) => ({
      name,
      inputs: wrongValues(endpoint, name, schema)
        .map(wrong => ({ ...sampleInput(fields), [name]: wrong }))
        .filter(input => isRead(endpoint, input)),
    })),
  )

const named = (calls: readonly NamedEndpoint[]): [string, Endpoint][] =>
  calls.map(({ name, endpoint }) => [name, endpoint])
const withInput = contract.filter(({ endpoint }) => inputForms(endpoint).some(fields => Object.keys(fields).length > 0))

describe('a wrong value', () => {
  const calls = withInput.map(({ name, endpoint }) => [name, endpoint, wrongFields(endpoint)] as const)

  test.each(calls.filter(([, , fields]) => fields.length > 0))(
    'in %s is 400 and names the field',
    async (_name, endpoint, fields) => {
      const before = await countRows()
      for (const [index, { name, inputs }] of fields.entries()) {
        await fc.assert(
          fc.asyncProperty(inputs, input => expectNamed(endpoint, input, name)),
          // With one seed, all fields would get the same values.
          { ...runs(3, 20), seed: seed + index },
        )
      }
      expect(await countRows()).toEqual(before)
    },
  )
})

/** In a path, query or form the text itself; in JSON the number that it stands for, if any. */
const noIds = ['0', '-1', '1.5', '1e3', '1e20', '9007199254740993', ' 1', '1 ', '01', '+1', '0x1', '٣', 'abc', 'NaN']

const idFields = contract.flatMap(({ name, endpoint }) =>
  inputForms(endpoint).flatMap(fields =>
    Object.keys(fields)
      .filter(field => /^(\w+_)?ids?$/.test(field))
      .map(field => [`${field} of ${name}`, endpoint, fields, field] as const),
  ),
)

describe('an invalid id', () => {
  test.each(idFields)('is refused as %s', async (_name, endpoint, fields, field) => {
    // In the gate each field takes 0 and a fourth of the others, in turn.
    const turn = idFields.findIndex(one => one[3] === field && one[1] === endpoint) % 4
    const few = noIds.filter((text, index) => text === '0' || index % 4 === turn)
    for (const text of rounds(few, noIds)) {
      const isNumber = !isText(endpoint, field) && String(Number(text)) !== 'NaN' && text.trim() === text
      const id = isNumber ? Number(text) : text
      // In JSON, 1e3 and 01 are valid numbers.
      if (isNumber && Number.isSafeInteger(id) && Number(id) > 0) continue
      await expectNamed(endpoint, { ...sampleInput(fields), [field]: field.endsWith('s') ? [id] : id }, field)
    }
  })
})

describe('a random value', () => {
  // A random value can be valid: then the call may end the link, or forbid links without a password.
  afterEach(useNewLink)

  test.each(named(withInput))('in %s never causes a 5xx', async (_name, endpoint) => {
    const anything = oneForm(endpoint).chain(fields =>
      fc
        .dictionary(fieldOf(fields), fc.oneof(hostileText, hostileValue), { minKeys: 1, noNullPrototype: true })
        .map(wrong => ({ ...sampleInput(fields), ...wrong })),
    )
    await fc.assert(
      fc.asyncProperty(anything, async input => {
        const response = await send(endpoint, input)
        // The stream of changes does not end by itself.
        if (endpoint === followChanges) await response.body?.cancel()
        else await response.arrayBuffer()
        expect(response.status).toBeLessThan(500)
      }),
      runs(8, 100),
    )
  })
})

describe('an invalid body', () => {
  const withBody = contract.filter(({ endpoint }) => endpoint.carrier.startsWith('json'))
  const raw = (endpoint: Endpoint, body: string) =>
    caller.raw(`/api${endpoint.path.replace(':token', linkToken).replace(/:\w+/g, '999999999')}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json' },
      body,
    })

  test.each([
    ['nested too deep', `{"a":${'['.repeat(maxJsonDepth)}${']'.repeat(maxJsonDepth)}}`, 400, 'invalid_input'],
    ['nested without end', `{"a":${'['.repeat(10_000)}`, 400, 'invalid_input'],
    ['too long', `{"a":"${'x'.repeat(maxLongJsonBytes)}"}`, 413, 'body_too_large'],
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
