/** Stops a server during a request. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, vi } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import type { ServeProcess } from '../support/binary.ts'
import type { TestClient } from '../support/client.ts'

export const secondSignal = 'a second signal ends them'

/** Starts an upload, and resolves once it is in progress; `finish` sends the rest. */
export async function beginUpload(server: Pick<ServeProcess, 'url'>, admin: TestClient, name = 'slow.txt') {
  const boundary = 'boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nfirst `
  const { port, hostname } = new URL(server.url)
  const headers = { ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const upload = request({ host: hostname, port, path: '/api/files/upload', method: 'POST', headers })
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>
  upload.write(head)
  // The server has this request once it answers a later one from the same machine.
  await admin.call(getProfile, {})
  return { answered, finish: () => upload.end(`and last\r\n--${boundary}--\r\n`) }
}

/** Waits until the server's log contains this. */
export function logged(server: ServeProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.child.stderr?.on('data', (text: Buffer) => {
      if (text.includes(words)) resolve()
    })
    server.child.then(() => reject(new Error(`the server ended without '${words}'`)), reject)
  })
}

/** Stops the server by one signal and its requests by another, and returns the log. */
export async function stopTwice(
  server: ServeProcess,
  uploads: readonly { answered: Promise<unknown> }[],
): Promise<string> {
  let isBroken = false
  const broken = Promise.all(uploads.map(({ answered }) => expect(answered).rejects.toThrow())).then(() => {
    isBroken = true
  })
  const stopping = logged(server, secondSignal)
  const exit = server.stop('SIGINT')
  await stopping
  // Wait before the second signal: the server takes an immediate one for the same Ctrl-C, passed on by npm. A third
  // signal would kill the server.
  await vi.waitUntil(() => isBroken || !server.child.kill('SIGTERM'), { timeout: 30_000, interval: 3_000 })
  await broken
  expect(await exit).toBe(0)
  return String((await server.child).stderr)
}
