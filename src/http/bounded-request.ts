/**
 * Bounds the pieces in which a body comes. A chunk of one byte takes 6 bytes of the wire, but some 400 of memory and
 * microseconds of the parser: without a bound, megabytes of such chunks would take gigabytes, and stop everybody else.
 */
import { IncomingMessage } from 'node:http'

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
 * A request that gathers small pieces of its body before anybody reads them, and ends the connection of a client that
 * sends too many tiny ones, or goes on with a body long after its answer. Node's parser (`parserOnBody` in Node's
 * lib/_http_common.js) hands it each piece by `push`, and null at the end, unless `_dumped` says that nobody will read.
 */
export class BoundedRequest extends IncomingMessage {
  #mayComeTiny: (() => boolean) | undefined
  #held: Buffer[] = []
  #size = 0
  #isDropping = false

  override push(piece: Buffer | null): boolean {
    if (this.socket.destroyed) return false
    if (piece === null) {
      this.#flush()
      return super.push(null)
    }
    if (piece.length < tiny && !this.#admitTiny()) {
      this.socket.destroy()
      return false
    }
    if (this.#isDropping) return true
    if (piece.length < small) return this.#hold(piece)
    this.#flush()
    return super.push(piece)
  }

  #admitTiny(): boolean {
    this.#mayComeTiny ??= openBucket()
    return this.#mayComeTiny()
  }

  #hold(piece: Buffer): boolean {
    // All pieces of one read of the socket come in the same turn of the event loop.
    if (this.#size === 0) process.nextTick(() => this.#flush())
    this.#held.push(piece)
    this.#size += piece.length
    return this.#size < gathered || this.#flush()
  }

  #flush(): boolean {
    if (this.#size === 0) return true
    const piece = Buffer.concat(this.#held, this.#size)
    this.#held = []
    this.#size = 0
    return super.push(piece)
  }

  // If Node knew that nobody reads the rest of a body, it would drop it without asking how it comes.
  get _dumped(): boolean {
    return false
  }

  /** Node's constructor sets it, too, before this class has its own fields: to false. */
  set _dumped(isDumped: boolean) {
    if (!isDumped || this.complete || this.#isDropping) return
    this.#isDropping = true
    setTimeout(() => this.complete || this.socket.destroy(), restTime).unref()
  }
}
