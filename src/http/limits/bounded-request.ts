/**
 * Limits the number of chunks of a body. A chunk of one byte takes 6 bytes on the wire, but some 400 of memory and
 * microseconds of CPU time. Without a limit, megabytes of such chunks would take gigabytes and block everybody else.
 */
import { IncomingMessage } from 'node:http'
import { AppError } from '../../base/errors.ts'

/** A chunk below this many bytes is tiny. Clients that stream send lines or blocks. */
const tiny = 16
/** Tiny chunks that a body may have at once, and how many more per second. */
const burst = 1000
const perSecond = 100
/** Chunks below this many bytes are joined, up to the second number. */
const small = 4 * 1024
const gathered = 16 * 1024
/** ms to receive the rest of a body after its answer has ended. */
const restTime = 20_000

export const tooManyChunks = (): AppError =>
  new AppError('invalid_input', 'The body has too many chunks of a few bytes')

/** Returns a function that says whether another tiny chunk is allowed. */
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
 * A request that asks a waiting client for its body only when it is read, and joins small chunks before anybody reads
 * them. It reports a client that sends too many tiny ones, and closes the connection of one that continues a body long after
 * its answer. Node's parser (`parserOnBody` in Node's
 * lib/_http_common.js) calls `push` with each chunk and with null at the end, unless `_dumped` is set.
 */
export class BoundedRequest extends IncomingMessage {
  #mayComeTiny: (() => boolean) | undefined
  #held: Buffer[] = []
  #size = 0
  #isDropping = false
  #askForBody: (() => void) | undefined

  /** Called when too many tiny chunks have come. */
  onFlood: () => void = () => this.socket.destroy()

  /** Whether the client waits for `100 Continue` before it sends the body. */
  get isHeldBack(): boolean {
    return this.#askForBody !== undefined
  }

  /** Calls `ask` when the body is first read. */
  holdBack(ask: () => void): void {
    this.#askForBody = ask
  }

  override _read(size: number): void {
    const ask = this.#askForBody
    this.#askForBody = undefined
    ask?.()
    super._read(size)
  }

  override push(piece: Buffer | null): boolean {
    // Of a request that was cut off nothing more is read: parsing what still comes would take the time of others.
    if (this.socket.destroyed || this.destroyed) return false
    if (piece === null) {
      this.#flush()
      return super.push(null)
    }
    if (piece.length < tiny && !this.#admitTiny()) {
      this.onFlood()
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
    // All chunks from one read of the socket arrive in the same turn of the event loop.
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

  /** Ends the body with a reason: readers get it, and the connection stays open for the answer. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!(error instanceof AppError)) super._destroy(error, done)
    // Where nobody reads the body, nobody takes the error either. Later, as in Node: a reader may be leaving right now.
    else process.nextTick(() => done(this.listenerCount('error') > 0 ? error : null))
  }

  // Always false: otherwise Node would discard the rest of a body without calling `push`.
  get _dumped(): boolean {
    return false
  }

  /** Node's constructor also sets it, to false, before this class has its own fields. */
  set _dumped(isDumped: boolean) {
    if (!isDumped || this.complete || this.destroyed || this.#isDropping) return
    this.#isDropping = true
    const timer = setTimeout(() => this.complete || this.socket.destroy(), restTime).unref()
    // Else the timer would keep the request, and all that belongs to it, in memory.
    this.once('close', () => clearTimeout(timer))
  }
}
