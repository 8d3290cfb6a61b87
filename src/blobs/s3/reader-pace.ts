/**
 * Judges whether who reads an object keeps pace. A connection to the store waits for its reader, and there is a limited
 * number of them: so a slow reader must not hold one.
 */
import { second } from '../../base/clock.ts'

/** Bytes per ms that a reader has to take. */
const leastPace = 1_000_000 / second
/** ms by which a reader may be behind that pace. */
const patience = second

export interface ReadingTime {
  /** ms since an arbitrary moment. */
  now(): number
  /** Calls back after so many ms; the returned function prevents it. */
  after(ms: number, call: () => void): () => void
}

export const readingTime: ReadingTime = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  },
}

export interface ReaderPace {
  /** A chunk is ready, and its reader's time runs; the time that the store takes is not theirs. */
  begin(): void
  /** The reader has taken so many bytes, and asks for more. */
  end(bytes: number): void
  /** Nobody reads any more. */
  stop(): void
  /** Whether the reader has caught up with the pace. */
  keepsUp(): boolean
}

/** `onSlow` is called once a reader is behind by too much, even while they ask for nothing. */
export function openReaderPace({ now, after }: ReadingTime, onSlow: () => void): ReaderPace {
  /** ms by which the reader is behind. */
  let behind = 0
  let since = now()
  let stop = () => {}
  return {
    begin: () => {
      since = now()
      stop = after(patience - behind, onSlow)
    },
    end: bytes => {
      stop()
      // A long pause is no more than a slow reader, who may become a fast one soon.
      behind = Math.min(patience, Math.max(0, behind + now() - since - bytes / leastPace))
    },
    stop: () => stop(),
    keepsUp: () => behind === 0,
  }
}
