/** Access to an item is the same in every way to read it: each kind of request, each list, and each state of a file. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathParams } from '../../src/api/endpoint.ts'
import { favoriteFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { expectations, type ItemState, itemsIn, type State, states } from '../matrix/expectations.ts'
import { endpointOf } from '../matrix/send.ts'
import { buildWorld, type Caller, type World } from '../matrix/world.ts'
import { callOf } from '../support/contract.ts'
import { routesOf } from '../support/routes-of.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let world: World
let items: Record<ItemState, FileDetails>
let tagId: number

const all: readonly ItemState[] = states.flatMap(state => itemsIn[state])

beforeAll(async () => {
  server = await startServer()
  world = await buildWorld(server)
  const { user } = world.owner
  tagId = await world.tagOf(user)
  const built: [ItemState, FileDetails][] = []
  for (const state of all) built.push([state, await prepare(state)])
  items = Object.fromEntries(built) as Record<ItemState, FileDetails>
})
afterAll(() => server.close())

const beforeTrash: Partial<Record<ItemState, ItemState>> = {
  trashed: 'live',
  'trashed pending': 'pending',
  'trashed rejected': 'rejected',
}

/** A file of the owner that every list could show, because it is tagged and a favorite. */
async function prepare(state: ItemState): Promise<FileDetails> {
  const { user } = world.owner
  const file = await world.newItem(user, 'file', beforeTrash[state] ?? state)
  await user.call(tagFiles, { tag_id: tagId, file_ids: [file.id] })
  await user.call(favoriteFile, { id: file.id, is_favorite: true })
  if (beforeTrash[state] !== undefined) await user.call(trashFile, { id: file.id })
  return file
}

const stateOf = (item: ItemState): State => states.find(state => itemsIn[state].some(one => one === item)) ?? 'live'

/** The callers, each with the column of the matrix that says what they get. */
const callers = (): [Caller, 'own' | 'others' | 'reviewed'][] => [
  [world.owner, 'own'],
  [world.other, 'others'],
  [world.reviewer, 'reviewed'],
  [world.admin, 'reviewed'],
]

/** Requests for the same bytes; many servers answer some of them from headers, before they check the right to read. */
const ways = (sha256: string): Record<string, { method?: string; headers?: Record<string, string> }> => ({
  plain: {},
  head: { method: 'HEAD' },
  'a range': { headers: { range: 'bytes=0-0' } },
  'a range from the end': { headers: { range: 'bytes=-1' } },
  'a range that is none': { headers: { range: 'bytes=999999-' } },
  'several ranges': { headers: { range: 'bytes=0-0,2-3' } },
  'its own hash': { headers: { 'if-none-match': `"${sha256}"` } },
  'any hash': { headers: { 'if-none-match': '*' } },
  'a time': { headers: { 'if-modified-since': new Date(Date.now() + 1e9).toUTCString() } },
  'a range of its hash': { headers: { range: 'bytes=0-0', 'if-range': `"${sha256}"` } },
  'other types': { headers: { accept: 'application/json' } },
  'another method in a header': { headers: { 'x-http-method-override': 'PUT' } },
})

/** Every route that reads one item by its id, taken from the route table, so that a new route is tested, too. */
const readsOfOne = () =>
  routesOf(server)
    .map(({ endpoint }) => endpoint)
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/files/') && pathParams(path).join() === 'id')

/** Whether the matrix gives access with a call to a file in a state; calls for folders only never do. */
function toldOf(call: string, column: 'own' | 'others' | 'reviewed', item: ItemState): boolean {
  const row = expectations.find(({ name, row }) => row === name && callOf(endpointOf(name)) === call)
  if (row === undefined) throw new Error(`the matrix has no row for ${call}`)
  return row.own.length === 4 && row[column][states.indexOf(stateOf(item))] === 200
}

describe('an item that is read by its id', () => {
  test('is given or refused alike by every route and every kind of request', async () => {
    const wrong: string[] = []
    const calls = readsOfOne()
    expect(calls.length).toBeGreaterThan(6)
    for (const [caller, column] of callers()) {
      for (const item of all) {
        const { id, sha256 } = items[item]
        const tries = calls.flatMap(({ method, path }) =>
          Object.entries(ways(sha256 ?? '')).map(async ([way, request]) => {
            const { status } = await caller.client.raw(`/api${path.replace(':id', String(id))}`, request)
            const isGiven = status !== 404
            const told = toldOf(`${method} ${path}`, column, item)
            if (isGiven !== told) wrong.push(`${caller.label} gets ${status} for ${item} by ${path} with ${way}`)
          }),
        )
        await Promise.all(tries)
      }
    }
    expect(wrong).toEqual([])
  })

  test('is never given to a key with every permission except reading', async () => {
    const key = await world.key([
      'files:search',
      'files:upload',
      'files:write',
      'files:delete',
      'tags:read',
      'tags:write',
      'validation:review',
    ])
    const given: string[] = []
    for (const { path } of readsOfOne()) {
      for (const [way, request] of Object.entries(ways(items.pending.sha256 ?? ''))) {
        const { status } = await key.client.raw(`/api${path.replace(':id', String(items.pending.id))}`, request)
        if (status !== 403) given.push(`${path} with ${way} is ${status}`)
      }
    }
    expect(given).toEqual([])
  })
})

/** Every way to find items without their ids, with the states of the caller's own items that each shows. */
const lists = (): [string, readonly State[]][] => {
  const q = encodeURIComponent('item-')
  const live: readonly State[] = ['live', 'pending', 'rejected']
  return [
    ['/files', live],
    ['/files?only=files&sort=date&order=desc&limit=1000', live],
    ['/files/favorites', live],
    ['/files/recent', live],
    ['/files/largest', live],
    ['/files/stats', live],
    [`/files/search?q=${q}`, live],
    [`/files/search?q=${q}&mime_type=image/`, live],
    [`/files/search?q=${q}&tag_id=${tagId}`, live],
    [`/files/search?q=${q}&status=approved`, ['live']],
    [`/files/search?q=${q}&status=pending`, ['pending']],
    [`/files/search?q=${q}&status=rejected`, ['rejected']],
    [`/files/search?q=${q}&min_size=1&max_size=100000&date_from=2020-01-01`, live],
    ['/files/trash', ['trashed']],
    ['/tags', []],
    ['/users', []],
    ['/settings', []],
  ]
}

describe('an item in a list', () => {
  const shownIn = async (caller: Caller, path: string): Promise<State[]> => {
    const text = await (await caller.client.raw(`/api${path}`)).text()
    const shown = all.filter(item => text.includes(items[item].name)).map(stateOf)
    return [...new Set(shown)]
  }

  test('is shown to its owner according to its state, and to nobody else', async () => {
    for (const [path, told] of lists()) {
      expect([path, (await shownIn(world.owner, path)).sort()]).toEqual([path, [...told].sort()])
      for (const caller of [world.other, world.reviewer, world.admin]) {
        expect([caller.label, path, await shownIn(caller, path)]).toEqual([caller.label, path, []])
      }
    }
  })

  test('is shown to reviewers only in the review queue, and only while it is pending', async () => {
    for (const caller of [world.reviewer, world.admin]) {
      expect(await shownIn(caller, '/validation/pending')).toEqual(['pending'])
    }
    for (const caller of [world.owner, world.other]) expect(await shownIn(caller, '/validation/pending')).toEqual([])
  })

  test('is not revealed by a count, a cursor or an ETag of another user', async () => {
    const { user } = world.other
    const etag = (await world.owner.client.raw('/api/files')).headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    expect((await user.raw('/api/files', { headers: { 'if-none-match': etag } })).status).toBe(200)
    const first = await (await world.owner.client.raw('/api/files?limit=1')).json()
    const cursor = encodeURIComponent(first.data.next_cursor)
    const next = await user.raw(`/api/files?limit=1&cursor=${cursor}`)
    expect((await next.text()).includes('item-')).toBe(false)
    const counts = await (await user.raw('/api/files/stats')).json()
    expect(counts.data).toMatchObject({ total_files: 0, by_kind: [], recent_files: [] })
  })
})
