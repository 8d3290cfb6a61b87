/** Responds to what Node cannot parse as a request, or does not pass on as one; middleware never sees it. */
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody, ErrorCode } from '../api/errors.ts'
import { systemCode } from '../base/errors.ts'
import type { Config } from '../config.ts'
import { closeSlowly } from './close-after-answer.ts'
import type { Connections } from './connections.ts'
import { fixedHeaders, httpsHeaders, isHttps } from './headers.ts'

interface Refusal {
  status: string
  error: ErrorCode
  message: string
}

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'invalid_input',
    message: 'The address or the headers are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    error: 'body_too_large',
    message: 'The extensions of the chunks are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'request_timeout',
    message: 'The request took too long to arrive',
  },
}
const notHttp: Refusal = { status: '400 Bad Request', error: 'invalid_input', message: 'This is not an HTTP request' }
const noTunnel: Refusal = {
  status: '405 Method Not Allowed',
  error: 'method_not_allowed',
  message: 'CONNECT is not possible here',
}

function answer({ status, error, message }: Refusal, config: Config): string {
  const requestId = randomUUID()
  const body: ErrorBody = { success: false, message, error, request_id: requestId }
  const text = JSON.stringify(body)
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...fixedHeaders,
    ...(isHttps(config) ? httpsHeaders : {}),
    // RFC 9110 section 15.5.6 requires Allow; it is empty because a tunnel has no methods.
    ...(error === 'method_not_allowed' ? { Allow: '' } : {}),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', text].join('\r\n')
}

/** Makes a server send the API's error body instead of Node's empty responses. */
export function answerUnparsed(server: Server, connections: Connections, config: Config): void {
  const refused = new WeakSet<Socket>()
  const refuse = (socket: Socket, refusal: Refusal) => {
    refused.add(socket)
    closeSlowly(socket, answer(refusal, config))
  }
  server.on('clientError', (error, socket: Socket) => {
    // Node still reads what follows, and says of each piece that it is no HTTP.
    if (refused.has(socket)) return
    // Do not write a second response into the middle of a running one.
    const isAnswering = connections.answersOf(socket).some(response => response.headersSent)
    if (systemCode(error) === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy(error)
    else refuse(socket, refusals[systemCode(error) ?? ''] ?? notHttp)
  })
  server.on('connect', (_request, socket: Socket) => {
    // Node hands over the bare socket, and nothing else handles its errors.
    socket.on('error', () => socket.destroy())
    if (connections.answersOf(socket).length > 0) socket.destroy()
    else refuse(socket, noTunnel)
  })
}
