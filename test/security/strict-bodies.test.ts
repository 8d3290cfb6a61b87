/** Field names are exact: every call refuses every other spelling. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword } from '../../src/api/auth.ts'
import { type Endpoint, pathParams } from '../../src/api/endpoint.ts'
import { listFiles } from '../../src/api/files.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { hostileKeys, withKey } from '../support/hostile.ts'
import { type Fields, inputForms, sampleInput } from '../support/sample-input.ts'
import { type Input, readRefusal, sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import { passingTables, readTables } from '../support/table-rows.ts'
import type { TestServer } from '../support/test-server.ts'
import { isTus } from '../support/tus.ts'
import { buildLink } from '../support/visitor.ts'

let server: TestServer
let caller: BuiltUser
let user: BuiltUser
let linkToken: string
beforeAll(async () => {
  server = await startServer()
  // An administrator may make every call, so no call is refused before its input is validated.
  caller = await buildUser(server, { role: 'admin' })
  user = await buildUser(server)
  linkToken = (await buildLink(caller, await buildFolder(caller), { level: 'both' })).token
})
afterAll(() => server.close())

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const camel = (text: string): string => text.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
/** The dotless `ı`, which resembles `i`, and full-width letters. */
const foreign = (text: string): string[] => [
  text.replace(/i/, 'ı'),
  text.replace(/[a-z]/, letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
]

/** Other spellings of a field's name. */
function variantsOf(name: string): string[] {
  const cased = [name.toUpperCase(), capital(name), capital(camel(name)), camel(name)]
  const near = [`${name} `, ` ${name}`, `${name}[]`, `${name}\u200b`, `_${name}`, ...foreign(name)]
  return [...new Set([...cased, ...near])].filter(variant => variant !== name)
}

const withKeys = (input: Input, keys: readonly string[]): Input =>
  keys.reduce((grown, key) => withKey(grown, key, 'x'), input)

/** Unknown field names for a call, as many at once as the call reads. */
function* unknownKeys({ carrier, path }: Endpoint, fields: Fields): Generator<string[]> {
  // A form refuses a field without a name, and reads eight fields, five of which are valid.
  const isForm = carrier.startsWith('multipart')
  const names = Object.keys(fields).filter(name => !pathParams(path).includes(name))
  // In a form, `a[]` is the field `a` as a list, which is refused in another way.
  const mayBeKey = (key: string) => !isForm || (key !== '' && !key.endsWith('[]'))
  const keys = [hostileKeys, ...names.map(variantsOf)].map(some => some.filter(mayBeKey))
  for (const some of keys) {
    if (!isForm) yield some
    else for (let from = 0; from < some.length; from += 3) yield some.slice(from, from + 3)
  }
}

/** The answer of a call to a valid input with these keys added; null if it refuses exactly these keys. */
async function findFault(endpoint: Endpoint, fields: Fields, keys: readonly string[]): Promise<object | null> {
  // Visitors' calls look at the link first, so they are made by one that works.
  const input = { ...sampleInput(fields), ...('token' in fields ? { token: linkToken } : {}) }
  const refusal = await readRefusal(await sendInput(caller, endpoint, withKeys(input, keys)))
  const isRefused = refusal.status === 400 && refusal.error === 'invalid_input'
  return isRefused && isDeepStrictEqual(refusal.named.sort(), [...keys].sort()) ? null : { keys, ...refusal }
}

describe('a field with another spelling', () => {
  test('is refused by every call, which names the field and changes nothing', async () => {
    const before = await readTables(server, passingTables)
    const faults: object[] = []
    // Calls of tus have no fields but keys of a header: test/api/tus.test.ts.
    for (const { name, endpoint } of contract.filter(one => !isTus(one.endpoint))) {
      for (const fields of inputForms(endpoint)) {
        for (const keys of unknownKeys(endpoint, fields)) {
          const fault = await findFault(endpoint, fields, keys)
          if (fault !== null) faults.push({ name, ...fault })
        }
      }
    }
    expect(faults).toEqual([])
    expect(await readTables(server, passingTables)).toEqual(before)
  })

  test('is refused in a list of objects and in an HTML form', async () => {
    const { id } = await buildFile(user)
    const metadata = [{ field_id: 1, Field_Id: 1, value: 'x', Value: 'y' }]
    const inside = await user.raw(`/api/files/${id}/metadata`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata }),
    })
    expect((await readRefusal(inside)).named.sort()).toEqual(['metadata.0.Field_Id', 'metadata.0.Value'])
    const form = await user.raw('/api/files/archive', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `ids=${id}&IDS=${id}`,
    })
    expect((await readRefusal(form)).named).toEqual(['IDS'])
  })
})

const put = (client: TestClient, path: string, body: string, method = 'PUT') =>
  client.raw(path, { method, headers: { 'content-type': 'application/json' }, body })

describe('a password', () => {
  const next = 'the next password'
  const change = (...pairs: readonly [string, string][]) =>
    put(user, '/api/auth/password', `{${pairs.map(pair => pair.map(one => JSON.stringify(one)).join(':')).join()}}`)

  test('is never changed without the current one, under whatever field name it is sent', async () => {
    const fresh = ['new_password', next] as const
    for (const name of [...variantsOf('current_password'), 'old_password', 'password', '__proto__']) {
      const response = await change([name, user.password], [...fresh])
      expect({ name, status: response.status }).toEqual({ name, status: 400 })
    }
    for (const name of variantsOf('new_password')) {
      const response = await change(['current_password', user.password], [name, next])
      expect({ name, status: response.status }).toEqual({ name, status: 400 })
    }
    await expect(signIn(server.url, user.username, next)).rejects.toMatchObject({ status: 401 })
  })

  test('that is sent twice has its last value, which is validated', async () => {
    const wrong = ['current_password', 'not the current'] as const
    const right = ['current_password', user.password] as const
    expect((await change([...right], [...wrong], ['new_password', next])).status).toBe(400)
    // The same field name, written with a JSON escape.
    const escaped = `{"current_password":${JSON.stringify(user.password)},"current\\u005fpassword":"x","new_password":"${next}"}`
    expect((await put(user, '/api/auth/password', escaped)).status).toBe(400)
    await expect(signIn(server.url, user.username, next)).rejects.toMatchObject({ status: 401 })
    expect((await change([...wrong], [...right], ['new_password', 'short'], ['new_password', next])).status).toBe(200)
    await user.call(changePassword, { current_password: next, new_password: user.password })
  })
})

test('an action that is sent twice has its last value, whose permission is checked', async () => {
  const [file, tag] = [await buildFile(user), await buildTag(user)]
  const key = await buildKey(server, user, ['tags:write'])
  const rest = `"ids":[${file.id}]`
  const deletes = `{"action":"tag","tag_id":${tag.id},${rest},"action":"trash"}`
  expect((await failure(await put(key, '/api/files/batch', deletes, 'POST'))).status).toBe(400)
  const trash = `{"action":"tag",${rest},"action":"trash"}`
  expect(await failure(await put(key, '/api/files/batch', trash, 'POST'))).toEqual({ status: 403, error: 'forbidden' })
  expect((await user.call(listFiles, {})).files.map(({ id }) => id)).toContain(file.id)
})
