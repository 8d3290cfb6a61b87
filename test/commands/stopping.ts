/** Stops a server while something runs. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, vi } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import type { ServeProcess } from '../support/binary.ts'
import type { TestClient } from '../support/client.ts'

export const secondSignal = 'a second signal ends them'

/** Begins an upload that is under way when this resolves; `finish` sends the rest of it. */
export async function beginUpload(server: Pick<ServeProcess, 'url'>, admin: TestClient, name = 'slow.txt') {
  const boundary = 'boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nfirst `
  const { port, hostname } = new URL(server.url)
  const headers = { ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const upload = request({ host: hostname, port, path: '/api/files/upload', method: 'POST', headers })
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>
  upload.write(head)
  // The server has the request when it answers another one on the same machine.
  await admin.call(getProfile, {})
  return { answered, finish: () => upload.end(`and last\r\n--${boundary}--\r\n`) }
}

/** Waits until the server's log says this. */
export function logged(server: ServeProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.child.stderr?.on('data', (text: Buffer) => {
      if (text.includes(words)) resolve()
    })
    server.child.then(() => reject(new Error(`the server ended without '${words}'`)), reject)
  })
}

/** Stops the server by one signal and what runs by another; gives back what it has logged. */
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
  // One that follows at once is the same Ctrl-C, which npm passes on; a third would kill.
  await vi.waitUntil(() => isBroken || !server.child.kill('SIGTERM'), { timeout: 20_000, interval: 3_000 })
  await broken
  expect(await exit).toBe(0)
  return String((await server.child).stderr)
}
