/** Follows each connection and its answers under way: how many there may be, and when a silent one is closed. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { boundPieces } from './body-pieces.ts'
import { isKnown, openConnectionRoom } from './connection-room.ts'

export interface ConnectionRules {
  /**
   * Connections of one process. Beyond them the oldest one without a request makes room for the new one, or else the
   * oldest one with requests of nobody who is signed in.
   */
  maxConnections: number
  /**
   * The same of one network that is no listed proxy, which makes room among its own. A team behind one address has
   * fewer; an office of thousands comes through a proxy, which can be listed.
   */
  maxOfNetwork: number
  /**
   * Requests of one connection that are answered at once; HTTP lets a client send more before it has read the first
   * answer, and these wait undone. Browsers send one, and proxies do.
   */
  maxTogether: number
  /** Requests of one connection that wait; one that sends more is closed. Each holds some KB while the client dawdles. */
  maxWaiting: number
  /**
   * ms without a byte after which a client that does not read its answer is cut, or twice as many: Node compares what
   * is left to write from one time to the next. http/slow-body.ts cuts those that do not send.
   */
  stallTime: number
  /** ms for the head of a request, or a quarter more. It is one packet or a few: nobody may drip it to hold memory. */
  headTime: number
  /** ms for the body of a request whose sender is not signed in: a name and a password. */
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
  /** All answers that have not ended, those of requests that wait among them. */
  readonly answers: Set<ServerResponse>
  readonly waiting: { request: IncomingMessage; response: ServerResponse }[]
}

export interface Connections {
  /** The answers of a socket that have not ended. */
  answersOf(socket: Socket): readonly ServerResponse[]
  /** All answers that have not ended, by socket. */
  all(): Iterable<readonly [Socket, ReadonlySet<ServerResponse>]>
  /** How many answers ended before their end because their client did not read. */
  cut(): number
  /** From now on a connection ends with its answers. */
  endWithAnswers(): void
}

interface Options {
  rules: ConnectionRules
  trustProxy: Config['trustProxy']
  /** Called for each connection that finds so many of the process, or of its network, taken. */
  onFull(connections: number, network?: string): void
}

/** Cuts a request whose body is not in after so many ms, unless it comes from a user who has been let in. */
function cutLateBody(request: IncomingMessage, response: ServerResponse, bodyTime: number): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && (length === undefined || length === '0')) return
  const timer = setTimeout(() => {
    if (!request.complete && !isKnown(response)) request.socket.destroy()
  }, bodyTime).unref()
  response.once('close', () => clearTimeout(timer))
}

/** Has `handle` answer a server's requests. */
export function openConnections(server: Server, handle: RequestListener, options: Options): Connections {
  const { maxTogether, maxWaiting, stallTime, bodyTime } = options.rules
  // By socket, for a response that waits behind another does not close where its socket does.
  const room = openConnectionRoom<Connection>({ ...options, ...options.rules })
  let isEnding = false
  let cut = 0

  function answer(request: IncomingMessage, response: ServerResponse): void {
    cutLateBody(request, response, bodyTime)
    handle(request, response)
  }

  function begin({ socket, answers, waiting }: Connection): void {
    // Where it ends, nobody would get what is left.
    while (socket.writable && answers.size - waiting.length < maxTogether) {
      const next = waiting.shift()
      if (next === undefined) return
      if (waiting.length === 0) socket.resume()
      answer(next.request, next.response)
    }
  }

  server.on('connection', socket => {
    const connection: Connection = { socket, answers: new Set(), waiting: [] }
    if (!room.add(connection)) {
      socket.destroy()
      return
    }
    // Node reads on whenever an answer ends. What waits bounds what is read: one piece of at most 64 KB beyond it.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause()
    })
    socket.once('close', () => {
      connection.waiting.length = 0
      // Node tells none of those that wait behind another: what they hold, files and turns, would be held for ever.
      for (const response of [...connection.answers]) if (response.socket === null) response.emit('close')
      room.remove(socket)
    })
  })

  server.on('request', (request, response) => {
    boundPieces(request)
    const { socket } = request
    const connection = room.get(socket)
    // Its connection has been closed to make room.
    if (connection === undefined) return
    const { answers, waiting } = connection
    // A packet of 64 KB holds thousands of requests, and Node reads it to its end.
    if (waiting.length >= maxWaiting) {
      socket.destroy()
      return
    }
    answers.add(response)
    // One listener for all: a download has so many that Node soon suspects a leak.
    response.once('close', () => {
      answers.delete(response)
      if (isEnding) socket.destroySoon()
      else begin(connection)
    })
    if (answers.size <= maxTogether) answer(request, response)
    else {
      waiting.push({ request, response })
      socket.pause()
    }
  })

  // In place of Node's own rule, which would cut an answer that is still being made.
  server.setTimeout(stallTime, socket => {
    const answers = room.get(socket)?.answers.size ?? 0
    if (answers > 0 && socket.writableLength === 0) return
    cut += answers
    socket.destroy()
  })

  return {
    answersOf: socket => [...(room.get(socket)?.answers ?? [])],
    all: () => [...room.all()].map(({ socket, answers }) => [socket, answers] as const),
    cut: () => cut,
    endWithAnswers: () => {
      isEnding = true
    },
  }
}
