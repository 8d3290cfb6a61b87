/**
 * Bounds the pieces in which a body comes. A chunk of one byte takes 6 bytes of the wire, but some 400 of memory and
 * microseconds of the parser: without a bound, megabytes of such chunks would take gigabytes, and stop everybody else.
 */
import type { IncomingMessage } from 'node:http'

/** Bytes below which a piece is tiny. Clients that stream send lines or blocks. */
const tiny = 16
/** Tiny pieces of one body that may come at once, and how many more each second. */
const burst = 1000
const perSecond = 100
/** Bytes below which pieces are gathered into one. */
const small = 4 * 1024
const gathered = 16 * 1024
/** ms for what is left of a body when its answer has ended. */
const restTime = 20_000

/** What Node's parser calls for each piece of a body, and null at its end; and what it asks once nobody reads the body. */
interface Parsed {
  push(piece: Buffer | null): boolean
  _dumped: boolean
}

/** Returns a function that says whether another tiny piece may come. */
function openBucket(): () => boolean {
  let left = burst
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(burst, left + ((now - at) / 1000) * perSecond) - 1
    at = now
    return left >= 0
  }
}

/**
 * Gathers small pieces of a request's body before anybody reads them, and ends the connection of a client that sends
 * too many tiny ones, or goes on with a body long after its answer. It stands between Node's parser and the request's
 * stream (`parserOnBody` in Node's lib/_http_common.js calls `push`, unless `_dumped` says that nobody will read).
 */
export function boundPieces(request: IncomingMessage & Partial<Parsed>): void {
  const { socket } = request
  const push = request.push.bind(request)
  const mayComeTiny = openBucket()
  let held: Buffer[] = []
  let size = 0
  let isDropping = false

  function flush(): boolean {
    if (size === 0) return true
    const piece = Buffer.concat(held, size)
    held = []
    size = 0
    return push(piece)
  }

  function hold(piece: Buffer): boolean {
    // All pieces of one read of the socket come in the same turn of the event loop.
    if (size === 0) process.nextTick(flush)
    held.push(piece)
    size += piece.length
    return size < gathered || flush()
  }

  request.push = (piece: Buffer | null): boolean => {
    if (socket.destroyed) return false
    if (piece !== null && piece.length < tiny && !mayComeTiny()) {
      socket.destroy()
      return false
    }
    if (isDropping && piece !== null) return true
    if (piece !== null && piece.length < small) return hold(piece)
    flush()
    return push(piece)
  }

  // Left to itself, Node would throw the rest of a body away without telling anybody how it comes.
  Object.defineProperty(request, '_dumped', {
    get: () => false,
    set: (isDumped: boolean) => {
      if (!isDumped || isDropping) return
      isDropping = true
      setTimeout(() => request.complete || socket.destroy(), restTime).unref()
    },
  })
}
