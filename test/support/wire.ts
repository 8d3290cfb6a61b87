/** Sends requests that fetch cannot send: any Host header, a body in pieces, a connection that breaks. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { isOwnText, refuseSecrets } from './secrets.ts'

export interface WireRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  /** Sent with a Content-Length if it is one buffer, else chunked. */
  body?: string | Buffer | AsyncIterable<Buffer>
}

export interface WireAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

async function writeAll(target: NodeJS.WritableStream, body: AsyncIterable<Buffer>, isDone: () => boolean) {
  for await (const chunk of body) {
    if (isDone()) return
    if (!target.write(chunk)) await new Promise<void>(resolve => setImmediate(resolve))
  }
  target.end()
}

/** Sends a request on a connection of its own; resolves with the answer even while the body is still being sent. */
export function sendWire(url: string, { method = 'GET', path, headers = {}, body }: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    let answered = false
    const sent = request(new URL(url), { method, path, headers, agent: false }, response => {
      answered = true
      text(response)
        .then(content => {
          sent.destroy()
          const [type = '', disposition = ''] = [
            response.headers['content-type'],
            response.headers['content-disposition'],
          ]
          if (isOwnText(type, disposition)) refuseSecrets(content, headers)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: content })
        })
        .catch(reject)
    })
    sent.on('error', error => {
      if (!answered) reject(error)
    })
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body)
    else writeAll(sent, body, () => answered || sent.destroyed).catch(reject)
  })
}

/** Opens a plain connection to the server. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return socket
}

/** The head of a request as text, without its body. */
export const requestHead = (url: string, method: string, path: string, headers: Record<string, string>): string =>
  `${method} ${path} HTTP/1.1\r\n${Object.entries({ host: new URL(url).host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Opens a connection that ignores errors and is closed after the test. */
export async function openForTest(url: string): Promise<Socket> {
  const socket = await openSocket(url)
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  return socket
}

/** Sends requests and stops reading at the start of the first answer. */
export async function sendUnread(url: string, requests: string): Promise<Socket> {
  const socket = await openForTest(url)
  socket.write(requests)
  await once(socket, 'data')
  socket.pause()
  return socket
}
