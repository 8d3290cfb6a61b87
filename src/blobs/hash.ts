/**
 * SHA-256 of a stream. A large one is hashed in a worker thread, because socket, parser and hash would fill one core.
 */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { findInDist } from '../dist-folder.ts'

/** A worker thread pays off from this many bytes: it takes 25 ms to start, in which a core hashes 40 MB. */
export const threadFrom = 64 * 1024 ** 2
/** Bytes handed over at a time, and how many such slots may be in flight. */
const slotSize = 1024 ** 2
const slotCount = 4

export interface StreamHash {
  /** Whether it is computed in a thread. */
  readonly isBeside: boolean
  /** Hashes the next bytes. When it returns a promise, wait for it before you pass more. */
  update(chunk: Buffer): Promise<void> | undefined
  /** The hash in hex, after the last bytes. */
  digest(): Promise<string>
  /** Frees everything, whether or not the end was reached. */
  close(): void
}

function openHere(): StreamHash {
  const hash = createHash('sha256')
  return {
    isBeside: false,
    update: chunk => {
      hash.update(chunk)
      return undefined
    },
    digest: async () => hash.digest('hex'),
    close: () => undefined,
  }
}

function openBeside(): StreamHash {
  const slots = Array.from({ length: slotCount }, () => new SharedArrayBuffer(slotSize))
  const views = slots.map(memory => new Uint8Array(memory))
  const worker = new Worker(findInDist('hash-thread.js'), { workerData: slots })
  const free = slots.map((_, slot) => slot)
  let current = free.pop()
  let filled = 0
  let wake: () => void = () => undefined
  let failure: Error | undefined
  let digest: string | undefined
  worker.on('message', (message: number | string) => {
    if (typeof message === 'string') digest = message
    else free.push(message)
    wake()
  })
  worker.on('error', error => {
    failure = error
    wake()
  })

  async function until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      if (failure !== undefined) throw failure
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }

  function handOver(): void {
    worker.postMessage({ slot: current, size: filled })
    current = undefined
    filled = 0
  }

  async function take(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      current ??= await until(() => free.pop())
      const part = rest.subarray(0, slotSize - filled)
      views[current]?.set(part, filled)
      filled += part.length
      rest = rest.subarray(part.length)
      if (filled === slotSize) handOver()
    }
  }

  return {
    isBeside: true,
    update: take,
    digest: async () => {
      if (filled > 0) handOver()
      worker.postMessage(null)
      return until(() => digest)
    },
    close: () => void worker.terminate(),
  }
}

/** The number of hashing threads. One core stays free for everything else. */
let beside = 0

/** The SHA-256 of all bytes of a source, in hex. Ends early, and then throws, when the signal aborts. */
export async function sha256Of(source: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    signal?.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}

/** `expected` is the announced number of bytes, null when unknown. The caller must close the hash. */
export function openHash(expected: number | null): StreamHash {
  if (expected === null || expected < threadFrom || beside >= availableParallelism() - 1) return openHere()
  const hash = openBeside()
  beside += 1
  return {
    ...hash,
    close: () => {
      beside -= 1
      hash.close()
    },
  }
}
