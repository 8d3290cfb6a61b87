/** Every call × every caller × every state of an item, compared with one table of expectations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '../../src/access/policy.ts'
import { pathParams } from '../../src/api/endpoint.ts'
import { type Permission, permissionKeys } from '../../src/api/permissions.ts'
import type { Route } from '../../src/route.ts'
import { callOf } from '../support/contract.ts'
import { type BuiltUser, userRolePermissions } from '../support/factories.ts'
import { rounds } from '../support/rounds.ts'
import { routesOf } from '../support/routes-of.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { nobodysId } from '../support/tus.ts'
import type { Input, Scene } from './build-input.ts'
import {
  type Column,
  type Expectation,
  expectations,
  type ItemState,
  itemsIn,
  type State,
  states,
} from './expectations.ts'
import { inputs } from './inputs.ts'
import { type Document, endpointOf, readStatus, sendCall } from './send.ts'
import { buildWorld, type Caller, type Kind, remember, type World } from './world.ts'

let server: TestServer
let world: World
let document: Document

beforeAll(async () => {
  server = await startServer()
  world = await buildWorld(server)
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Document
})
afterAll(() => server.close())

async function buildInput({ row }: Expectation, scene: Scene): Promise<Input> {
  const build = inputs[row]
  if (build === undefined) throw new Error(`test/matrix/inputs.ts has no input for ${row}`)
  return build(scene)
}

/** Calls that end the session that makes them. */
const endsSession = ['logout', 'changePassword']
/** Calls whose rows need different permissions, depending on the input. */
const byBody = ['batchFiles', 'deleteShare', 'listLinks', 'listSpaces', 'updateSpace']

/** The permissions that a row names; empty for `session` and the like. */
const namedIn = (asks: string): Permission[] => permissionKeys.filter(key => asks.split(/ [+/] /).includes(key))

function mayMake({ asks }: Expectation, { with: credentials, permissions }: Caller): boolean {
  if (asks === 'open') return true
  if (asks === 'session') return credentials === 'session'
  if (asks === 'signed-in') return credentials !== 'nothing'
  const named = namedIn(asks)
  return asks.includes(' / ') ? named.some(key => permissions.has(key)) : named.every(key => permissions.has(key))
}

const kindOf = (row: Expectation): Kind => (row.own.length === 2 ? 'folder' : 'file')
/** Folders have no states of approval. */
const itemsOf = (row: Expectation, state: State): readonly ItemState[] =>
  row.own.length === 2 ? [state] : itemsIn[state]

interface Cell {
  caller: Caller
  of: BuiltUser
  state: ItemState
  /** The status in the table; a caller without the permission gets 403 instead, or 401 without credentials. */
  told: number
}

/** The status of the answer, with a note when HEAD and GET differ. */
type Got = number | string

async function ask(row: Expectation, { client }: Caller, input: Input): Promise<Got> {
  const endpoint = endpointOf(row.name)
  const response = await sendCall(client, endpoint, input, { asForm: row.row.endsWith(': form') })
  const status = await readStatus(document, endpoint, response)
  if (endpoint.method !== 'GET') return status
  const head = await sendCall(client, endpoint, input, { method: 'HEAD' })
  return head.status === status ? status : `${status}, but HEAD ${head.status}`
}

/** Makes a call with the permission; a call that changes an item gets an item of its own. */
async function runCell(row: Expectation, { caller, of, state, told }: Cell): Promise<Got> {
  const changes = endpointOf(row.name).method !== 'GET' && told < 300
  const who = changes && endsSession.includes(row.name) ? await world.twinOf(caller) : caller
  const item = await (changes && row.own.length > 1 ? world.newItem : world.item)(of, kindOf(row), state)
  const whose = who === caller ? of : who.user
  return ask(row, who, await buildInput(row, { world, caller: who, of: whose, item }))
}

/** Makes calls without the permission: they change nothing, so one input serves all callers on the same item. */
const denier = (row: Expectation) => {
  const inputOf = remember(async ({ caller, of, state }: Cell) =>
    buildInput(row, { world, caller, of, item: await world.item(of, kindOf(row), state) }),
  )
  return async (cell: Cell): Promise<Got> => ask(row, cell.caller, await inputOf(`${cell.of.id} ${cell.state}`, cell))
}

/** The cells of one column for these callers. */
const cellsOf = (row: Expectation, column: Column, callers: readonly Caller[], of?: BuiltUser): Cell[] =>
  callers.flatMap(caller =>
    row[column].flatMap((told, index) =>
      itemsOf(row, states[index] ?? 'live').map(state => ({ caller, of: of ?? caller.user, state, told })),
    ),
  )

/** What an item was before it was trashed is the nightly run's question to keys; the gate asks it of sessions. */
const itemStates = rounds<readonly ItemState[]>(states, Object.values(itemsIn).flat())

/**
 * On all items, keys with exactly the needed permissions and keys with all others; on live items, a key with a single
 * one of the others. In the gate each row takes the next of these, because a key with all others can do what each can.
 */
async function keyCells(row: Expectation, column: Column, of?: BuiltUser): Promise<Cell[]> {
  const asked = namedIn(row.asks)
  const isEach = row.asks.includes(' + ')
  const without = (lost: readonly Permission[]) =>
    world.key(
      permissionKeys.filter(key => !lost.includes(key)),
      `a key without ${lost.join(' and ') || 'nothing'}`,
    )
  const enough = await Promise.all((isEach ? [asked] : asked.map(key => [key])).map(held => world.key(held)))
  const lacking = await Promise.all((isEach ? asked.map(key => [key]) : [asked]).map(without))
  const others = permissionKeys.filter(key => isEach || !asked.includes(key))
  const next = expectations.indexOf(row) % others.length
  const alone = await Promise.all(rounds(others.slice(next, next + 1), others).map(key => world.key([key])))
  return [
    ...cellsOf(row, column, alone, of).filter(cell => cell.state === 'live'),
    ...cellsOf(row, column, [...enough, ...lacking], of).filter(cell => itemStates.includes(cell.state)),
  ]
}

/** Runs the cells and compares all of them with the table at once. */
async function compare(row: Expectation, cells: readonly Cell[]): Promise<void> {
  const deny = denier(row)
  const run = async (cell: Cell) => {
    const isAllowed = mayMake(row, cell.caller)
    const told = isAllowed ? cell.told : cell.caller.with === 'nothing' ? 401 : 403
    const got = await (isAllowed ? runCell(row, cell) : deny(cell))
    return { label: `${cell.caller.label}: ${cell.state}`, told, got }
  }
  const results = await Promise.all(cells.map(run))
  const told = Object.fromEntries(results.map(result => [result.label, result.told]))
  expect(Object.fromEntries(results.map(result => [result.label, result.got]))).toEqual(told)
}

/** The permissions of a route, in the words of the table. */
function wordsOf(access: Access | undefined): string {
  if (access === undefined) return 'open'
  if (typeof access === 'string') return access
  return 'all' in access ? access.all.join(' + ') : access.any.join(' / ')
}

/** Puts a row's name before the row, for test titles. */
const named = (rows: readonly Expectation[]): [string, Expectation][] => rows.map(row => [row.row, row])
const closed = expectations.filter(({ asks }) => asks !== 'open')
const aboutThings = closed.filter(row => row.alone.length === 0)
const aboutRights = closed.filter(row => row.alone.length > 0)

/** Routes of links' visitors: test/matrix/visitors.test.ts has them. */
const isVisitors = (route: Route): boolean => 'need' in route

describe('the table of expectations', () => {
  test('has a row for every route, and no other rows', () => {
    const routes = routesOf(server)
      .filter(route => !isVisitors(route))
      .map(({ endpoint }) => callOf(endpoint))
    const rows = [...new Set(expectations.map(({ name }) => callOf(endpointOf(name))))]
    expect(rows.sort(), 'Rows are in test/matrix/expectations.ts, their inputs in inputs.ts').toEqual(routes.sort())
  })

  test('has each row once, with an input for it', () => {
    expect(expectations.map(({ row }) => row).sort()).toEqual(Object.keys(inputs).sort())
  })

  test('has the permissions of the routes', () => {
    for (const route of routesOf(server).filter(one => !isVisitors(one))) {
      const access = 'access' in route ? route.access : undefined
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

describe('a caller without credentials', () => {
  test.each(named(expectations))('is refused by %s unless the call is public', async (_name, row) => {
    await compare(row, cellsOf(row, 'own', [world.nobody], world.owner.user))
  })
})

describe('a call on the caller’s own item', () => {
  test.each(named(aboutThings))('%s', async (_name, row) => {
    const { owner, admin } = world
    await compare(row, [...cellsOf(row, 'own', [owner, admin]), ...(await keyCells(row, 'own'))])
  })
})

describe('a call on another user’s item', () => {
  test.each(named(aboutThings.filter(row => row.others.length > 0)))('%s', async (_name, row) => {
    const { owner, other } = world
    const callers = [other, await world.key(userRolePermissions, 'a key with what a user may')]
    const keys = await keyCells(row, 'others', owner.user)
    await compare(row, [...cellsOf(row, 'others', callers, owner.user), ...keys])
  })
})

describe('a reviewer’s call on another user’s item', () => {
  test.each(named(aboutThings.filter(row => row.reviewed.length > 0)))('%s', async (_name, row) => {
    const { owner, reviewer, admin } = world
    const keys = [await world.key(['files:read', 'validation:review']), await world.key(['validation:review'])]
    await compare(row, cellsOf(row, 'reviewed', [reviewer, admin, ...keys], owner.user))
  })
})

describe('a caller with every permission', () => {
  test.each(named(aboutRights))('%s', async (_name, row) => {
    const { admin, deputy, owner } = world
    await compare(row, cellsOf(row, 'own', [admin, deputy, await world.key(permissionKeys)], owner.user))
  })
})

describe('a caller with only the needed permission', () => {
  test.each(named(aboutRights))('%s', async (_name, row) => {
    const { owner, reviewer } = world
    const loners = await Promise.all(namedIn(row.asks).map(world.loner))
    const keys = await keyCells(row, 'keys', owner.user)
    await compare(row, [...cellsOf(row, 'alone', [...loners, owner, reviewer], owner.user), ...keys])
  })
})

describe('a call with an unknown id', () => {
  const withId = closed.filter(({ name, row }) => name === row && pathParams(endpointOf(name).path).includes('id'))
  test.each(named(withId))('is 404: %s', async (_name, row) => {
    const endpoint = endpointOf(row.name)
    const { admin } = world
    const item = await world.item(admin.user, 'file', 'live')
    const input = await inputs[row.row]?.({ world, caller: admin, of: admin.user, item })
    // The id of an upload is a text.
    const id = typeof input?.id === 'string' ? nobodysId : 999_999_999
    const response = await sendCall(admin.client, endpoint, { ...input, id })
    expect(await readStatus(document, endpoint, response)).toBe(404)
  })
})
