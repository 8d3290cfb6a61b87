/**
 * What somebody reads of a shared folder names nothing above it, and nothing in it that was named after it had left,
 * whenever in the middle of the call it is moved out or the share ends: that happens before each of the call's reads.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listChanges } from '../../src/api/changes.ts'
import { favoriteFile, moveFile, renameFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createLink } from '../../src/api/links.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { updateSpace } from '../../src/api/spaces.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { plantEntries } from '../bench/plant.ts'
import { beforeRead } from '../support/before-statement.ts'
import { openClient, signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload } from '../support/tus.ts'

let server: TestServer
let owner: BuiltUser
let reader: BuiltUser
let key: TestClient
let visitor: TestClient
let token: string
let tagId: number
let since: string
let shareId: number
let above: FileDetails
let shared: FileDetails
let inner: FileDetails
let deep: FileDetails
let file: FileDetails

const giveAccess = async () => {
  shareId = (await buildShare(owner, shared, reader, 'edit')).id
}

beforeAll(async () => {
  server = await startServer()
  owner = await buildUser(server)
  reader = await buildUser(server)
  // In a team folder editors may make links.
  const team = await buildTeam(await signIn(server.url, server.adminName, server.adminPassword), owner, 'Team')
  await owner.call(updateSpace, { id: team.id, editors_may_link: true })
  above = await buildFolder(owner, 'secret above', team.folder_id)
  shared = await buildFolder(owner, 'Shared', above.id)
  inner = await buildFolder(owner, 'Inner', shared.id)
  deep = await buildFolder(owner, 'Deep', inner.id)
  file = await buildFile(owner, { parent_id: deep.id, name: 'needle.txt' })
  await giveAccess()
  const twice = await buildFolder(owner, 'Twice', inner.id)
  await buildShare(owner, twice, reader, 'view')
  const permissions = ['files:read', 'files:search', 'files:upload'] as const
  key = await buildKey(server, reader, [...permissions], 'script', { scope_id: shared.id })
  await buildKey(server, reader, ['files:read'], 'script', { scope_id: deep.id })
  // The default limits are for fewer requests.
  const { db } = server.deps
  await db.touch(() => db.change('UPDATE api_keys SET rate_limit_per_minute = 100000'))
  visitor = openClient(server.url)
  token = (await owner.call(createLink, { item_id: shared.id, level: 'both' })).link.token ?? ''
  await reader.call(createLink, { item_id: deep.id, level: 'view' })
  tagId = (await buildTag(reader)).id
  await reader.call(tagFiles, { tag_id: tagId, file_ids: [file.id] })
  await reader.call(favoriteFile, { id: file.id, is_favorite: true })
  await beginUpload(reader, { length: 10, metadata: { name: 'begun.txt', parent_id: deep.id } })
  since = (await reader.call(listChanges, {})).cursor
  await owner.call(renameFile, { id: file.id, name: 'a needle.txt' })
})
afterAll(() => server.close())

const put = (body: object) => ({
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Ask = () => Promise<Response>
/** Calls of the reader and of a key for the folder, by name. */
const calls: Record<string, Ask> = {
  'the list of a folder': () => reader.raw(`/api/files?parent_id=${deep.id}`),
  'the list of a folder with hashes': () => reader.raw(`/api/files?parent_id=${inner.id}&with=sha256`),
  'an item': () => reader.raw(`/api/files/${file.id}`),
  'an item by its path': () => reader.raw(`/api/files/by-path?path=/Deep/a%20needle.txt&in=${inner.id}`),
  'the search in all places': () => reader.raw('/api/files/search?q=needle'),
  'the search in a folder': () => reader.raw(`/api/files/search?q=needle&in=${inner.id}`),
  'the search by tag': () => reader.raw(`/api/files/search?q=&tag_id=${tagId}`),
  'the favourites': () => reader.raw('/api/files/favorites'),
  'the recent files': () => reader.raw('/api/files/recent'),
  'the activity of an item': () => reader.raw(`/api/files/${file.id}/events`),
  'the changes': () => reader.raw(`/api/changes?since=${since}`),
  'the received shares': () => reader.raw('/api/shares/received'),
  'the links': () => reader.raw('/api/links'),
  'the uploads': () => reader.raw('/api/uploads'),
  'the keys': () => reader.raw('/api/auth/api-keys'),
  'the answer to a mark': () => reader.raw(`/api/files/${file.id}/favorite`, put({ is_favorite: true })),
  'the list for a key': () => key.raw(`/api/files?parent_id=${deep.id}`),
  'the search with a key': () => key.raw('/api/files/search?q=needle'),
}
/** The link is the owner's, so that it stays when the share ends. */
const visits: Record<string, Ask> = {
  'the list for a visitor': () => visitor.raw(`/api/s/${token}/files?parent_id=${deep.id}`),
  'an item for a visitor': () => visitor.raw(`/api/s/${token}/files/${file.id}`),
}

/** Those that look for places where something is shared. */
const looking = [
  'the search in all places',
  'the search with a key',
  'the favourites',
  'the received shares',
  'an item',
]

/** What the owner does, and undoes; then the file gets a name that is not for the reader. */
const acts = [
  {
    name: 'is moved out of what is shared',
    act: () => owner.call(moveFile, { id: inner.id, parent_id: above.id }),
    undo: () => owner.call(moveFile, { id: inner.id, parent_id: shared.id }),
    asks: { ...calls, ...visits },
  },
  {
    name: 'is shared no longer',
    act: () => owner.call(deleteShare, { id: shareId }),
    undo: giveAccess,
    asks: Object.fromEntries(
      rounds(
        Object.entries(calls).filter(([name]) => looking.includes(name)),
        Object.entries(calls),
      ),
    ),
  },
]

describe.each(acts)('while a folder $name', ({ act, undo, asks }) => {
  const leave = async () => {
    await act()
    await owner.call(renameFile, { id: file.id, name: 'secret needle.txt' })
  }
  const comeBack = async () => {
    await owner.call(renameFile, { id: file.id, name: 'a needle.txt' })
    await undo()
  }

  test.each(Object.entries(asks))('%s tells nothing from outside', async (_call, ask) => {
    expect((await ask()).status).toBe(200)
    const told: [number, string][] = []
    for (let n = 1; ; n++) {
      const answer = await beforeRead(server, n, leave, ask)
      if (answer === null) break
      const text = await answer.text()
      expect([200, 403, 404]).toContain(answer.status)
      if (text.includes('secret')) told.push([n, text])
      await comeBack()
    }
    expect(told).toEqual([])
  })
})

describe('while a folder with more items than one read takes is moved out of what is shared', () => {
  let lent: FileDetails
  let long: FileDetails
  let last: FileDetails
  let view: string
  beforeAll(async () => {
    lent = await buildFolder(owner, 'Lent')
    long = await buildFolder(owner, 'Long', lent.id)
    await plant(server, owner, (db, space) => plantEntries(db, space, long.id, 700))
    last = await buildFile(owner, { parent_id: long.id, name: 'zzzz.txt' })
    await buildShare(owner, lent, reader, 'view')
    view = (await owner.call(createLink, { item_id: lent.id, level: 'view' })).link.token ?? ''
  })

  test.each<[string, Ask]>([
    ['a reader', () => reader.raw(`/api/files?parent_id=${long.id}`)],
    ['a visitor', () => visitor.raw(`/api/s/${view}/files?parent_id=${long.id}`)],
  ])('its list tells %s no name that is given outside', async (_who, ask) => {
    expect(await (await ask()).text()).toContain('zzzz.txt')
    const told: number[] = []
    const leave = async () => {
      await owner.call(moveFile, { id: long.id, parent_id: null })
      await owner.call(renameFile, { id: last.id, name: 'zzzz secret.txt' })
    }
    for (let n = 1; ; n++) {
      const answer = await beforeRead(server, n, leave, ask)
      if (answer === null) break
      expect([200, 404]).toContain(answer.status)
      if ((await answer.text()).includes('secret')) told.push(n)
      await owner.call(renameFile, { id: last.id, name: 'zzzz.txt' })
      await owner.call(moveFile, { id: long.id, parent_id: lent.id })
    }
    expect(told).toEqual([])
  })
})
