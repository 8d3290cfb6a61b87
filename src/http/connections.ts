/** Tracks each connection and its running responses: how many are allowed, and when a silent one is closed. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bodyIsLate } from '../base/errors.ts'
import type { Config } from '../config.ts'
import { cutOff } from './cut-off.ts'
import { type BoundedRequest, tooManyChunks } from './limits/bounded-request.ts'
import { isKnown, openConnectionLimits } from './limits/connection-limits.ts'
import { hasBody } from './limits/slow-body.ts'
import { openLoopTurns } from './loop-turns.ts'

export interface ConnectionRules {
  /**
   * Maximum connections of one process. Beyond it the oldest one without a request is closed that is not new, or else the
   * oldest one without a request of a signed-in user.
   */
  maxConnections: number
  /**
   * Maximum connections of one network, unless it is a trusted proxy; beyond it one of its own is closed. A team behind
   * one address needs fewer; an office of thousands comes through a proxy, which can be listed.
   */
  maxOfNetwork: number
  /**
   * Requests of one connection that run at once. HTTP lets a client send more before it has read the first response;
   * these wait. Browsers and proxies send one at a time.
   */
  maxTogether: number
  /** Requests of one connection beyond those; a connection with more is closed. Each holds some KB while it waits. */
  maxWaiting: number
  /**
   * ms without progress after which a client that does not read its response is cut off. It may take twice as long,
   * because Node compares the unsent bytes only at each interval. http/limits/slow-body.ts cuts off clients that do not send.
   */
  stallTime: number
  /** ms for the head of a request, or a quarter more. It fits in a few packets; a slow sender would hold memory. */
  headTime: number
  /** ms for the body of a request whose sender is not signed in, such as a name and a password. */
  bodyTime: number
}

export const defaultRules: ConnectionRules = {
  maxConnections: 4096,
  maxOfNetwork: 512,
  maxTogether: 8,
  maxWaiting: 64,
  stallTime: 60_000,
  headTime: 20_000,
  bodyTime: 20_000,
}

interface Connection {
  readonly socket: Socket
  /** All responses that have not ended, including those of waiting requests. */
  readonly answers: Set<ServerResponse>
  /** When it was opened, on the monotonic clock (ms). */
  readonly since: number
  readonly waiting: { request: BoundedRequest; response: ServerResponse }[]
}

export interface Connections {
  /** The responses of a socket that have not ended. */
  answersOf(socket: Socket): readonly ServerResponse[]
  /** All responses that have not ended, by socket. */
  all(): Iterable<readonly [Socket, ReadonlySet<ServerResponse>]>
  /** The number of responses cut off because their client did not read. */
  cut(): number
  /** From now on closes each connection when its response ends. */
  endWithAnswers(): void
}

interface Options {
  rules: ConnectionRules
  trustProxy: Config['trustProxy']
  /** Called for each new connection when the process, or its network, has the maximum number. */
  onFull(connections: number, network?: string): void
}

/** Cuts off a request whose body is incomplete after `bodyTime` ms, unless its user has been admitted. */
function cutLateBody(request: IncomingMessage, response: ServerResponse, bodyTime: number): void {
  if (!hasBody(request)) return
  const timer = setTimeout(() => {
    if (!request.complete && !isKnown(response)) cutOff(request, response, bodyIsLate())
  }, bodyTime).unref()
  response.once('close', () => clearTimeout(timer))
}

/** Ends a request whose body is incomplete with its connection: Node forgets it when its response ends. */
function endWithSocket(request: IncomingMessage): void {
  if (request.complete) return
  const end = () => request.destroy()
  request.socket.once('close', end)
  request.once('close', () => request.socket.off('close', end))
}

/** Tracks a server's connections, and passes its requests to `handle`. */
export function openConnections(
  server: Server<typeof BoundedRequest>,
  handle: RequestListener,
  options: Options,
): Connections {
  const { maxTogether, maxWaiting, stallTime, bodyTime } = options.rules
  // Keyed by socket, because a response that waits behind another does not close when its socket does.
  const limits = openConnectionLimits<Connection>({ ...options, ...options.rules })
  let isEnding = false
  let cut = 0

  function answer(request: BoundedRequest, response: ServerResponse): void {
    request.onFlood = () => cutOff(request, response, tooManyChunks())
    cutLateBody(request, response, bodyTime)
    handle(request, response)
  }

  /**
   * Begins one of the requests that were sent before the answer to an earlier one. Those of hundreds of connections would
   * else all run before the next request of anybody else is read.
   */
  const beginInTurn = openLoopTurns<Connection>(connection => {
    const { socket, answers, waiting } = connection
    // Start no request if the connection is closing, because nobody would get its response.
    if (!socket.writable || answers.size - waiting.length >= maxTogether) return
    const next = waiting.shift()
    if (next === undefined) return
    if (waiting.length === 0) socket.resume()
    else beginInTurn(connection)
    answer(next.request, next.response)
  })

  server.on('connection', socket => {
    const connection: Connection = { socket, answers: new Set(), since: performance.now(), waiting: [] }
    if (!limits.add(connection)) {
      socket.destroy()
      return
    }
    // Node resumes reading when a response ends. Pausing again limits what is read beyond the waiting to one chunk of
    // 64 KB.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      connection.waiting.length = 0
      // Node does not tell responses that wait behind another; without 'close' they would hold files and permits for
      // ever.
      for (const response of [...connection.answers]) if (response.socket === null) response.emit('close')
      limits.remove(socket)
    })
  })

  server.on('request', (request, response) => {
    const { socket } = request
    const connection = limits.get(socket)
    // The connection has been closed to make room.
    if (connection === undefined) {
      socket.destroy()
      return
    }
    const { answers, waiting } = connection
    // Node still parses what follows the last response of a connection, but would send its response before those of
    // earlier requests, and then end the process with ERR_INTERNAL_ASSERTION (resOnFinish in node:_http_server).
    const isEnded = !socket.writable
    // One packet of 64 KB can hold thousands of requests, and Node parses all of it.
    if (isEnded || answers.size >= maxTogether + maxWaiting) {
      socket.destroy()
      return
    }
    answers.add(response)
    // Use one listener for all purposes: with those of a download, Node would soon warn of a leak.
    response.once('close', () => {
      answers.delete(response)
      endWithSocket(request)
      if (isEnding) socket.destroySoon()
      else if (waiting.length > 0) beginInTurn(connection)
    })
    if (answers.size === 1) answer(request, response)
    else {
      waiting.push({ request, response })
      socket.pause()
      beginInTurn(connection)
    }
  })

  // Replaces Node's own rule, which would cut off a response that is still being prepared.
  server.setTimeout(stallTime, socket => {
    const answers = limits.get(socket)?.answers.size ?? 0
    if (answers > 0 && socket.writableLength === 0) return
    cut += answers
    socket.destroy()
  })

  return {
    answersOf: socket => [...(limits.get(socket)?.answers ?? [])],
    all: () => [...limits.all()].map(({ socket, answers }) => [socket, answers] as const),
    cut: () => cut,
    endWithAnswers: () => {
      isEnding = true
    },
  }
}
