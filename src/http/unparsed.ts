/** Answers what Node cannot read as a request: no middleware ever sees it. */
import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '../api/errors.ts'
import { systemCode } from '../errors.ts'
import { fixedHeaders } from './headers.ts'

const refusals: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The address or the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
}
const notHttp = ['400 Bad Request', 'This is not an HTTP request'] as const

function answer(error: Error): string {
  const [status, message] = refusals[systemCode(error) ?? ''] ?? notHttp
  const body: ErrorBody = { success: false, message, error: 'invalid_input', request_id: randomUUID() }
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    ...Object.entries(fixedHeaders).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    text,
  ].join('\r\n')
}

/** Has a server say in the contract's form what is wrong, in place of Node's empty answers. */
export function answerUnparsed(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    answers.set(socket, response)
  })
  server.on('clientError', (error, socket: Socket) => {
    const last = answers.get(socket)
    // An answer that is under way must not get another one in its middle.
    const isAnswering = last?.headersSent && !last.writableFinished
    if (systemCode(error) === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy(error)
    else socket.end(answer(error), () => socket.destroy())
  })
}
