/** Begins an upload and leaves it unfinished. */
import type { Socket } from 'node:net'
import type { TestClient } from './client.ts'
import { fileStart, multipartType } from './multipart.ts'
import { openSocket, requestHead } from './wire.ts'

/**
 * Begins an upload on a connection of its own: a request that runs as long as the test wants. Of 1 MB, it sends `sent`
 * bytes.
 */
export async function holdUpload({ url }: { url: string }, key: TestClient, sent = 100_000): Promise<Socket> {
  const socket = await openSocket(url)
  socket.on('error', () => undefined)
  const headers = { ...key.headers, 'content-type': multipartType, 'content-length': '1000000' }
  socket.write(requestHead(url, 'POST', '/api/files/upload', headers))
  socket.write(Buffer.concat([fileStart('open.bin'), Buffer.alloc(sent)]))
  return socket
}
