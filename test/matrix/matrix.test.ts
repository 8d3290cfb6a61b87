/** Every call × everybody × every state of an item, held to the one table of expectations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '../../src/access/policy.ts'
import { pathParams } from '../../src/api/endpoint.ts'
import { type Permission, permissionKeys } from '../../src/api/permissions.ts'
import { createRoutes } from '../../src/http/routes.ts'
import { openClient } from '../support/client.ts'
import { callOf } from '../support/contract.ts'
import { type BuiltUser, buildKey, userRolePermissions } from '../support/factories.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Expectation, expectations, type State, states } from './expectations.ts'
import { type Input, inputs, type Scene } from './inputs.ts'
import { type Document, endpointOf, readStatus, sendCall } from './send.ts'
import { buildWorld, type Caller, type World } from './world.ts'

let server: TestServer
let world: World
let document: Document
/** A plain user's key, and an administrator's, with all that a plain user may. */
let ownersKey: Caller
let plainKey: Caller

beforeAll(async () => {
  server = await startServer()
  world = await buildWorld(server)
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Document
  const { owner } = world
  const client = await buildKey(server, owner.user, [...userRolePermissions])
  ownersKey = { ...owner, label: "the owner's key", client, isKey: true }
  plainKey = await world.adminKey(userRolePermissions)
})
afterAll(() => server.close())

const buildInput = async ({ row }: Expectation, scene: Scene): Promise<Input> => (await inputs[row]?.(scene)) ?? {}

/** Calls that end the session they are made with. */
const endsSession = ['logout', 'changePassword']
/** Calls whose rows ask for different permissions, which hang on the body. */
const byBody = ['batchFiles']

const namedIn = (asks: string): Permission[] => asks.split(/ [+/] /) as Permission[]

function mayMake({ asks }: Expectation, { isKey, permissions }: Caller): boolean {
  if (asks === 'session') return !isKey
  if (asks === 'signed-in' || asks === 'open') return true
  const named = namedIn(asks)
  return asks.includes(' / ') ? named.some(key => permissions.has(key)) : named.every(key => permissions.has(key))
}

interface Cell {
  caller: Caller
  of: BuiltUser
  state: State
  /** What the table says; somebody who may not make the call gets 403 instead. */
  told: number
}

/** What a caller got: the status, and a word where HEAD answers otherwise than GET. */
type Got = number | string

async function ask(row: Expectation, { client }: Caller, input: Input): Promise<Got> {
  const endpoint = endpointOf(row.name)
  const response = await sendCall(client, endpoint, input, { asForm: row.row.endsWith(': form') })
  const status = await readStatus(document, endpoint, response)
  if (endpoint.method !== 'GET') return status
  const head = await sendCall(client, endpoint, input, { method: 'HEAD' })
  return head.status === status ? status : `${status}, but HEAD ${head.status}`
}

/** A call by somebody who may make it; what it would change is made for it alone. */
async function runCell(row: Expectation, { caller, of, state, told }: Cell): Promise<Got> {
  const changes = endpointOf(row.name).method !== 'GET' && told < 300
  const who = changes && endsSession.includes(row.name) ? await world.twinOf(caller) : caller
  const kind = row.own.length === 2 ? 'folder' : 'file'
  const item = await (changes && row.own.length > 1 ? world.newItem(of, kind, state) : world.item(of, kind, state))
  const whose = who === caller ? of : who.user
  return ask(row, who, await buildInput(row, { world, caller: who, of: whose, item }))
}

/** Calls by those who may not make them: nothing changes, so that one input serves all. */
async function runDenied(row: Expectation, cells: readonly Cell[]): Promise<Got[]> {
  const [first] = cells
  if (first === undefined) return []
  const item = await world.item(first.of, row.own.length === 2 ? 'folder' : 'file', first.state)
  const input = await buildInput(row, { world, caller: first.caller, of: first.of, item })
  return Promise.all(cells.map(({ caller }) => ask(row, caller, input)))
}

/** The cells of one column for some callers. */
const cellsOf = (answers: readonly number[], callers: readonly Caller[], of?: BuiltUser): Cell[] =>
  callers.flatMap(caller =>
    answers.map((told, index) => ({ caller, of: of ?? caller.user, state: states[index] ?? 'live', told })),
  )

/** Runs cells and compares all of them with the table at once. */
async function compare(row: Expectation, cells: readonly Cell[]): Promise<void> {
  const label = ({ caller, state }: Cell) => `${caller.label}: ${state}`
  const allowed = cells.filter(cell => mayMake(row, cell.caller))
  const denied = cells.filter(cell => !mayMake(row, cell.caller))
  const got = await runDenied(row, denied)
  const seen = new Map<string, Got | undefined>(denied.map((cell, index) => [label(cell), got[index]]))
  for (const cell of allowed) seen.set(label(cell), await runCell(row, cell))
  const wanted = [...denied.map(cell => [label(cell), 403]), ...allowed.map(cell => [label(cell), cell.told])]
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(wanted))
}

/** What a route asks for, in the table's words. */
function wordsOf(access: Access | undefined): string {
  if (access === undefined) return 'open'
  if (typeof access === 'string') return access
  return 'all' in access ? access.all.join(' + ') : access.any.join(' / ')
}

/** For titles: a row's name before the row. */
const named = (rows: readonly Expectation[]): [string, Expectation][] => rows.map(row => [row.row, row])
const closed = expectations.filter(({ asks }) => asks !== 'open')

describe('the table of expectations', () => {
  test('has a row for every route, and none for what is no route', () => {
    const routes = createRoutes(server.deps).map(({ endpoint }) => callOf(endpoint))
    const rows = [...new Set(expectations.map(({ name }) => callOf(endpointOf(name))))]
    expect(rows.sort()).toEqual(routes.sort())
  })

  test('has an input for every row, and each row once', () => {
    expect(expectations.map(({ row }) => row).sort()).toEqual(Object.keys(inputs).sort())
  })

  test('asks for what the routes ask for', () => {
    for (const route of createRoutes(server.deps)) {
      const access = route.kind === 'public' ? undefined : route.access
      const rows = expectations.filter(({ name }) => endpointOf(name) === route.endpoint)
      const asks = [...new Set(rows.map(row => row.asks))]
      const wanted = byBody.includes(rows[0]?.name ?? '') ? [asks.join(' / ')] : asks
      expect({ call: callOf(route.endpoint), asks: [wordsOf(access)] }).toEqual({
        call: callOf(route.endpoint),
        asks: wanted,
      })
    }
  })
})

describe('without credentials', () => {
  test.each(named(expectations))('%s answers nobody but where it is open', async (_name, row) => {
    const endpoint = endpointOf(row.name)
    const item = await world.item(world.owner.user, 'file', 'live')
    const build = row.asks === 'open' ? inputs[row.row] : undefined
    const input = (await build?.({ world, caller: world.owner, of: world.owner.user, item })) ?? {
      id: item.id,
      key: 'x',
    }
    const response = await sendCall(openClient(server.url), endpoint, input)
    expect(await readStatus(document, endpoint, response)).toBe(row.asks === 'open' ? row.own[0] : 401)
  })
})

describe('on what is the own', () => {
  test.each(named(closed))('%s', async (_name, row) => {
    const { owner, reviewer, admin } = world
    const all = row.own.length === 1 ? [owner, reviewer, admin, ownersKey] : [owner, reviewer, ownersKey]
    await compare(row, cellsOf(row.own, all))
  })
})

describe("on what is another's", () => {
  test.each(named(closed.filter(row => row.others.length > 0)))('%s', async (_name, row) => {
    const { owner, other } = world
    await compare(row, cellsOf(row.others, [other, plainKey], owner.user))
  })
})

describe("on what is another's, for those who may review it", () => {
  test.each(named(closed.filter(row => row.reviewed.length > 0)))('%s', async (_name, row) => {
    const { owner, reviewer, admin } = world
    await compare(row, cellsOf(row.reviewed, [reviewer, admin], owner.user))
  })
})

describe('with a key', () => {
  test.each(named(closed))('%s opens to the permission that it asks for, and to no other', async (_name, row) => {
    const isNamed = permissionKeys.includes(namedIn(row.asks)[0] as Permission)
    const enough = isNamed ? [await world.adminKey(namedIn(row.asks))] : []
    const alone = await Promise.all(permissionKeys.map(permission => world.adminKey([permission])))
    const others = alone.filter(caller => !mayMake(row, caller))
    await compare(row, [...cellsOf(row.own.slice(0, 1), enough), ...cellsOf(row.own.slice(0, 1), others)])
  })
})

describe('for an id that nobody has', () => {
  const withId = closed.filter(({ name, row }) => name === row && pathParams(endpointOf(name).path).includes('id'))
  test.each(named(withId))('%s answers 404', async (_name, row) => {
    const endpoint = endpointOf(row.name)
    const { admin } = world
    const item = await world.item(admin.user, 'file', 'live')
    const input = await inputs[row.row]?.({ world, caller: admin, of: admin.user, item })
    const response = await sendCall(admin.client, endpoint, { ...input, id: 999_999_999 })
    expect(await readStatus(document, endpoint, response)).toBe(404)
  })
})
