/** Other users' items do not exist for a user, even an administrator: every call answers 404 and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import { listApiKeys } from '../../src/api/keys.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { failure, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
let others: TestClient[]
beforeAll(async () => {
  server = await startServer()
  owner = await buildUser(server)
  const [user, admin] = [await buildUser(server), await buildUser(server, { role: 'admin' })]
  const { permissions } = (await (await admin.raw('/api/auth/profile')).json()).data
  others = [user, admin, await buildKey(server, admin, permissions)]
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }

describe('another user', () => {
  test('gets 404 for every id of the owner, wherever a call takes an id', async () => {
    const folder = await buildFolder(owner)
    const file = await buildFile(owner, { name: 'private.txt', parent_id: folder.id })
    const trashed = await buildFile(owner)
    await owner.call(trashFile, { id: trashed.id })
    const key = await buildKey(server, owner, ['files:read'])
    const before = await readHoldings(server)
    for (const other of others) {
      const own = await buildFile(other)
      const calls: [string, string, object?][] = [folder.id, file.id, trashed.id].flatMap(id => [
        ['GET', `/files/${id}`],
        ['HEAD', `/files/${id}/download`],
        ['GET', `/files/${id}/download`],
        ['GET', `/files/${id}/preview`],
        ['PUT', `/files/${id}/rename`, { name: 'stolen' }],
        ['PUT', `/files/${id}/move`, {}],
        ['PUT', `/files/${id}/trash`, {}],
        ['PUT', `/files/${id}/restore`, {}],
        ['PUT', `/files/${own.id}/move`, { parent_id: id }],
        ['POST', '/files/folders', { name: 'planted', parent_id: id }],
        ['GET', `/files?parent_id=${id}`],
      ])
      calls.push(['DELETE', `/auth/api-keys/${key.id}`])
      for (const [method, path, body] of calls) {
        const request = { method, headers: body === undefined ? {} : json, body: body && JSON.stringify(body) }
        const response = await other.raw(`/api${path}`, request)
        expect({ method, path, status: response.status }).toEqual({ method, path, status: 404 })
        if (method !== 'HEAD') expect((await failure(response)).error).toBe('not_found')
      }
      await expect(buildFile(other, { parent_id: folder.id })).rejects.toMatchObject({ status: 404 })
      await other.call(trashFile, { id: own.id })
    }
    const after = await readHoldings(server)
    expect(after.files).toBe(before.files + others.length)
    expect((await owner.call(getFile, { id: file.id })).file).toEqual(file)
    expect((await owner.call(listFiles, { parent_id: folder.id })).total).toBe(1)
    expect((await owner.call(listTrash, {})).files.map(({ id }) => id)).toEqual([trashed.id])
    expect((await owner.call(listApiKeys, {})).api_keys.map(({ id }) => id)).toEqual([key.id])
  })

  test('gets the same answer for an owner’s id and an unknown id', async () => {
    const file = await buildFile(owner)
    for (const other of others) {
      const bodies = await Promise.all(
        [file.id, 999_999].map(async id => {
          const { request_id, ...body } = await (await other.raw(`/api/files/${id}`)).json()
          expect(request_id).toEqual(expect.any(String))
          return body
        }),
      )
      expect(bodies[0]).toEqual(bodies[1])
    }
  })

  test('cannot reach a file by its path, nor replace it by its name', async () => {
    await buildFile(owner, { name: 'revived.txt' })
    for (const other of others) {
      expect((await other.raw('/api/files/by-path?path=/revived.txt')).status).toBe(404)
      const own = await buildFile(other, { name: 'revived.txt', on_conflict: 'replace' }, 'mine')
      expect(await (await other.raw(`/api/files/${own.id}/download`)).text()).toBe('mine')
      await other.call(trashFile, { id: own.id })
    }
  })
})
