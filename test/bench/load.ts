/**
 * Many small requests over a few persistent connections. The requests are built before the clock starts and written
 * directly to the sockets: client and server share the machine, so the client must use little of it.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Target } from './client.ts'

const headEnd = Buffer.from('\r\n\r\n')

const head = ({ url, headers }: Target, line: string, more: Record<string, string | number>): string => {
  const lines = Object.entries({ host: new URL(url).host, ...headers, ...more }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [`${line} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Builds a GET request for a path. */
export const getRequest = (target: Target, path: string): Buffer => Buffer.from(head(target, `GET ${path}`, {}))

/** Builds a request with a body. */
export const bodyRequest = (
  target: Target,
  method: 'POST' | 'PUT',
  path: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Buffer =>
  Buffer.concat([Buffer.from(head(target, `${method} ${path}`, { ...headers, 'content-length': body.length })), body])

/** Builds an upload of a new content of this size. */
export function uploadRequest(target: Target, path: string, name: string, size: number): Buffer {
  const boundary = randomBytes(16).toString('hex')
  const part = (disposition: string, value: Buffer | string) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]
  const body = Buffer.concat([
    ...part('name="name"', name),
    ...part(`name="file"; filename="${name}"`, randomBytes(size)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const type = `multipart/form-data; boundary=${boundary}`
  return bodyRequest(target, 'POST', path, body, { 'content-type': type })
}

/** Opens a connection; its function sends a request and resolves to the status after the whole answer. */
function openLane(socket: Socket): (request: Buffer) => Promise<number> {
  let start: Buffer = Buffer.alloc(0)
  let missing: number | undefined
  let status = 0
  let resolveStatus: (status: number) => void = () => undefined
  let rejectStatus: (error: Error) => void = () => undefined
  socket.on('data', chunk => {
    if (missing === undefined) {
      start = start.length === 0 ? chunk : Buffer.concat([start, chunk])
      const end = start.indexOf(headEnd)
      if (end < 0) return
      const text = start.toString('latin1', 0, end)
      status = Number(text.slice(9, 12))
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]) - (start.length - end - headEnd.length)
      start = Buffer.alloc(0)
    } else missing -= chunk.length
    if (missing !== 0) return
    missing = undefined
    resolveStatus(status)
  })
  socket.on('close', () => rejectStatus(new Error('the server closed a connection')))
  return request =>
    new Promise((resolve, reject) => {
      resolveStatus = resolve
      rejectStatus = reject
      socket.write(request)
    })
}

interface Load {
  /** The number of connections. */
  lanes: number
  requests: readonly Buffer[]
  /** The expected status of every answer, or several. */
  status: number | readonly number[]
}

/**
 * Sends all requests, the next of each connection after its last answer; returns the requests per second and the ms of
 * each.
 */
export async function sendLoad(
  url: string,
  { lanes, requests, status }: Load,
): Promise<{ perSecond: number; ms: number[] }> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: lanes }, () => connect({ host: hostname, port: Number(port), noDelay: true }))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const ms: number[] = []
  const expected = [status].flat()
  let next = 0
  const run = async (ask: ReturnType<typeof openLane>) => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const began = performance.now()
      const answered = await ask(request)
      if (!expected.includes(answered)) {
        throw new Error(`a request was answered with ${answered} instead of ${expected.join(' or ')}`)
      }
      ms.push(performance.now() - began)
    }
  }
  const began = performance.now()
  try {
    await Promise.all(sockets.map(socket => run(openLane(socket))))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return { perSecond: (requests.length / (performance.now() - began)) * 1000, ms }
}
