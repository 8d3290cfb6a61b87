/** Requests that wait behind others of their user, for tests about what ends meanwhile. */
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { failure, type TestClient } from '../support/client.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

/** Begins downloads that the client does not read. */
export async function hold(server: TestServer, count: number, path: string, client: TestClient): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n++) {
    const socket = await openSocket(server.url)
    sockets.push(socket)
    socket.on('error', () => undefined)
    onTestFinished(() => {
      socket.destroy()
    })
    const begun = new Promise<void>(resolve => socket.once('data', () => resolve(void socket.pause())))
    socket.write(requestHead(server.url, 'GET', path, client.headers))
    await begun
  }
  return sockets
}

type Request = Parameters<TestClient['raw']>

/** The answers to requests that wait, when something happens before their turn. */
export async function askWhile(
  held: Socket[],
  requests: readonly (string | Request)[],
  client: TestClient,
  act: () => Promise<unknown>,
) {
  const answers = requests.map(request =>
    client.raw(...(typeof request === 'string' ? ([request] satisfies Request) : request)),
  )
  // These later requests were answered, so the earlier ones do wait.
  for (let round = 0; round < 10; round++) await client.call(listFiles, {})
  await act()
  for (const socket of held) socket.destroy()
  return Promise.all(answers.map(async answer => failure(await answer)))
}
