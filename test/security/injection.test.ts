/** No text of a client becomes part of a query: both databases compare, store and return it unchanged. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pathParams } from '../../src/api/endpoint.ts'
import { listAudit } from '../../src/api/events.ts'
import { favoriteFile, getFileByPath, listFavorites, listFiles, setFileMetadata } from '../../src/api/files.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { createTag, listTags } from '../../src/api/tags.ts'
import { listTrash } from '../../src/api/trash.ts'
import { createUser, listUsers } from '../../src/api/users.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { inputForms } from '../support/sample-input.ts'
import { sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import { sourcesWith } from '../support/sources.ts'
import { passingTables, readTables } from '../support/table-rows.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildEveryCall, type EveryCall } from './every-call.ts'

let server: TestServer
let every: EveryCall
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  every = await buildEveryCall(server)
  user = await buildUser(server)
})
afterAll(() => server.close())

/** Texts that end a string, a list or a statement in one of the databases, or begin another. */
const attacks = [
  "' OR '1'='1",
  "' OR 1=1 -- ",
  '" OR ""="',
  "\\' OR 1=1 -- ",
  "') OR ('1'='1",
  '1 OR 1=1',
  '1; DROP TABLE files; --',
  "1' UNION SELECT username, password_hash, 3 FROM users -- ",
  'name; SELECT SLEEP(5)',
  "' AND SLEEP(5) AND '1'='1",
  "' AND 1=RANDOMBLOB(500000000) -- ",
  '(CASE WHEN 1=1 THEN name ELSE size END)',
  '/*!50000 OR 1=1*/',
  '`files`.`id`',
  '$1',
  '?',
  '%',
  '%%\\%',
  '"a" OR "b"*',
  'NEAR(a b)',
  '{"$gt":""}',
  '\u02bc OR 1=1 -- ',
  '\\',
]

/** Parameters that accept any text, and those that select columns or pages. */
const freeTexts = ['q', 'path', 'actor', 'meta', 'action', 'mime_type', 'sort', 'order', 'cursor']

describe('an injection attempt', () => {
  test('in any parameter of any reading call is refused or finds nothing', async () => {
    const before = await readTables(server, passingTables)
    const odd: object[] = []
    for (const { row, endpoint, input } of every.calls.filter(call => call.endpoint.method === 'GET')) {
      const names = new Set(inputForms(endpoint).flatMap(fields => Object.keys(fields)))
      const required = Object.fromEntries(
        Object.entries(input).filter(([name]) => pathParams(endpoint.path).includes(name) || name === 'q'),
      )
      // A form that refuses one of these texts refuses all; only free text reaches the database.
      const tries = [...names].flatMap(name =>
        attacks.slice(0, freeTexts.includes(name) ? undefined : 4).map(attack => ({ name, attack })),
      )
      await Promise.all(
        tries.map(async ({ name, attack }) => {
          const response = await sendInput(every.caller.client, endpoint, { ...required, [name]: attack })
          const body = await response.text()
          const found = /"total":[1-9]|"events":\[\{/.test(body)
          if (![200, 400, 404].includes(response.status) || found)
            odd.push({ row, name, attack, status: response.status })
        }),
      )
    }
    expect(odd).toEqual([])
    expect(await readTables(server, passingTables)).toEqual(before)
  })

  test('in a cursor is refused, whatever the cursor contains', async () => {
    const { next_cursor } = await user.call(listFiles, { limit: 1 }).then(async () => {
      for (const name of ['one', 'two']) await buildFolder(user, name)
      return user.call(listFiles, { limit: 1 })
    })
    const made = JSON.parse(Buffer.from(next_cursor ?? '', 'base64url').toString()) as {
      list: string
      after: unknown[]
    }
    const forged: unknown[] = [
      ...attacks.map(attack => ({ ...made, list: attack })),
      ...attacks.map(attack => ({ ...made, after: [attack] })),
      { ...made, after: [] },
      { ...made, after: [...made.after, 1] },
      { ...made, after: made.after.map(() => null) },
      { ...made, after: made.after.map(() => ({ $gt: '' })) },
      { ...made, after: made.after.map(() => ['a']) },
      { ...made, order: 'size; DROP TABLE files' },
      { list: '__proto__', after: ['a', 1] },
      made.after,
    ]
    for (const cursor of forged) {
      const text = Buffer.from(JSON.stringify(cursor)).toString('base64url')
      const response = await user.raw(`/api/files?limit=1&cursor=${text}`)
      expect({ cursor, status: response.status }).toEqual({ cursor, status: 400 })
    }
    // These cursors have the right form, with texts that are only compared.
    for (const attack of [...attacks, '\0', '\ud800']) {
      const after = made.after.map(value => (typeof value === 'string' ? attack : value))
      const text = Buffer.from(JSON.stringify({ ...made, after })).toString('base64url')
      const response = await user.raw(`/api/files?limit=1&cursor=${text}`)
      expect([200, 400]).toContain(response.status)
    }
  })
})

/** A name that begins with the attempted injection. */
const nameOf = (attack: string, n: number): string => `${attack.trim().replaceAll('/', '').slice(0, 40)}${n}`

describe('a stored text', () => {
  test('is returned unchanged from every kind of row', async () => {
    const { client } = every.caller
    const field = await buildField(client, { label: attacks[0] })
    for (const [n, attack] of attacks.entries()) {
      const name = nameOf(attack, n)
      const { id } = await buildFolder(user, name)
      expect((await user.call(getFileByPath, { path: `/${name}` })).file).toMatchObject({ id, name })
      const file = await buildFile(user, { name: `${name}.txt` })
      const set = await user.call(setFileMetadata, { id: file.id, metadata: [{ field_id: field.id, value: attack }] })
      expect(set.file.metadata).toMatchObject([{ value: attack.trim() }])
      await user.call(createTag, { name, color: '#3B82F6' })
      expect((await user.call(createApiKey, { name, permissions: ['files:read'] })).name).toBe(name)
      const username = name.replaceAll(/[\s:\\]/g, '')
      await client.call(createUser, { username, email: `x${n}@example.org`, password: 'long enough', full_name: name })
    }
    const names = attacks.map(nameOf)
    expect((await user.call(listTags, {})).tags.map(({ name }) => name).sort()).toEqual([...names].sort())
    const { users } = await client.call(listUsers, {})
    expect(users.flatMap(({ full_name }) => full_name ?? []).sort()).toEqual([...names].sort())
    expect((await user.call(listFiles, { only: 'files' })).total).toBe(attacks.length)
  })

  test('is found literally: no character is a wildcard', async () => {
    const owner = await buildUser(server)
    const { client } = every.caller
    const field = await buildField(client)
    const values = ['100%', '100x', 'a_b', 'axb', 'a\\b', 'a"b', "a'b", 'a*b', '[ab]']
    for (const value of values) {
      const { id } = await buildFile(owner, { name: `wild ${value}` })
      await owner.call(setFileMetadata, { id, metadata: [{ field_id: field.id, value }] })
    }
    for (const value of values) {
      const hits = async (input: object) =>
        (await owner.call(searchFiles, { q: 'wild', ...input })).files.map(({ name }) => name)
      expect(await hits({ q: `wild ${value}` })).toEqual([`wild ${value}`])
      expect(await hits({ meta: `${field.name}:${value}` })).toEqual([`wild ${value}`])
    }
    for (const actor of ['%', '_'.repeat(owner.username.length), `${owner.username.slice(0, -1)}%`]) {
      expect((await client.call(listAudit, { actor })).events).toEqual([])
    }
    expect((await client.call(listAudit, { actor: owner.username })).events.length).toBeGreaterThan(0)
  })
})

test('no query uses an object of the ORM, so no input can choose columns, order or operators', () => {
  // `z.literal` belongs to the contract.
  const finders =
    /\.(findAll|findOne|findByPk|findAndCountAll|findOrCreate)\(|\battributes:|\border:\s*\[|(?<!z\.)\bliteral\(|Op\./
  expect(sourcesWith(finders)).toEqual([])
})

test('the lists of two users are read by the same statements', async () => {
  const { db } = server.deps
  const reads = [vi.spyOn(db, 'rows'), vi.spyOn(db, 'row'), vi.spyOn(db, 'page')]
  async function readAll(reader: BuiltUser): Promise<Set<string>> {
    for (const read of reads) read.mockClear()
    const { id } = await buildFolder(reader, 'Listed')
    await buildFile(reader, { parent_id: id })
    await reader.call(favoriteFile, { id, is_favorite: true })
    await reader.call(listFavorites, {})
    await reader.call(listTrash, {})
    await reader.call(getFileStats, {})
    await (await reader.raw(`/api/files/${id}/archive`)).arrayBuffer()
    const given = reads.flatMap<unknown>(({ mock }) => mock.calls.flat())
    return new Set(given.filter(value => typeof value === 'string').filter(text => text.includes('files f')))
  }
  const [ofOne, ofOther] = [await readAll(await buildUser(server)), await readAll(await buildUser(server))]
  for (const read of reads) read.mockRestore()
  expect(ofOne.size).toBeGreaterThan(5)
  expect(ofOther).toEqual(ofOne)
})
