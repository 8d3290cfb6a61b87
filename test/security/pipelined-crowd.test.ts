/** Requests that are sent before earlier answers: those of many connections take turns with everybody else's. */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { serveBinary } from '../support/binary.ts'
import { makeDataFolder } from '../support/migrated.ts'
import { openSocket, requestHead } from '../support/wire.ts'

const crowd = 40
const each = 70

test('a request is answered before the thousands that others have sent ahead of time', async context => {
  const dataDir = await makeDataFolder()
  context.onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const server = await serveBinary(['--data-dir', dataDir], { FILESTORE_ADMIN_PASSWORD: 'some password' })
  const sockets = await Promise.all(Array.from({ length: crowd }, () => openSocket(server.url)))
  const late = await openSocket(server.url)
  let answers = 0
  const all = new Promise<void>(resolve => {
    for (const socket of sockets) {
      socket.on('data', (piece: Buffer) => {
        answers += piece.toString('latin1').split('HTTP/1.1 401').length - 1
        if (answers === crowd * each) resolve()
      })
    }
  })
  const requests = requestHead(server.url, 'GET', '/api/files', {}).repeat(each)
  for (const socket of sockets) socket.write(requests)
  late.write(requestHead(server.url, 'GET', '/healthz', {}))
  const [answer] = (await once(late, 'data')) as [Buffer]
  expect(answer.toString('latin1')).toContain('HTTP/1.1 200')
  expect(answers).toBeLessThan((crowd * each) / 2)
  await all
  for (const socket of [...sockets, late]) socket.destroy()
  expect(await server.stop()).toBe(0)
})
