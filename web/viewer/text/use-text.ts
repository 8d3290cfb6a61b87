/** The text of a file, loaded part by part on demand, whatever the file's size. */
import { useEffect, useRef, useState } from 'react'
import { decoderFor, readPart } from './read-part.ts'
import { addText, bytesWithin, noText, roomFor, type TextRows } from './text-rows.ts'

/** Bytes of the first part. Each further part is as long as all before it, up to the limit. */
const firstPart = 1024 ** 2
const longestPart = 8 * firstPart

interface Shown {
  rows: TextRows
  /** Bytes read so far, and of the whole file. */
  read: number
  total: number
  etag: string | null
  decoder: TextDecoder | null
  /** Whether no more rows fit. */
  isTooLong: boolean
}

const nothing: Shown = { rows: noText, read: 0, total: 0, etag: null, decoder: null, isTooLong: false }

export interface FileText {
  rows: TextRows
  /** Bytes read so far, and of the whole file; both 0 until the first part is there. */
  read: number
  total: number
  isLoading: boolean
  /** Why the last part failed to load. */
  error: unknown
  /** Reads the next part, or the one that failed; undefined at the end. */
  readOn: (() => void) | undefined
  /** Whether the rest is available only by download. */
  isTooLong: boolean
}

/** If the file has changed since its first part, starts again. */
async function readNext(url: string, shown: Shown, signal: AbortSignal): Promise<Shown> {
  const length = Math.min(longestPart, Math.max(firstPart, shown.read))
  const { bytes, total, etag } = await readPart(url, shown.read, length, signal)
  if (shown.etag !== null && etag !== shown.etag) return readNext(url, nothing, signal)
  const decoder = shown.decoder ?? decoderFor(bytes)
  const taken = bytesWithin(bytes, roomFor(shown.rows))
  const read = shown.read + taken
  const text = decoder.decode(bytes.subarray(0, taken), { stream: read < total })
  const rows = addText(shown.rows, text)
  return { rows, read, total, etag, decoder, isTooLong: taken < bytes.length || roomFor(rows) <= 0 }
}

export function useText(url: string, onFail: () => void): FileText {
  const [shown, setShown] = useState(nothing)
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const readOn = async (from: Shown) => {
    running.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    setLoading(true)
    setError(null)
    try {
      setShown(await readNext(url, from, signal))
    } catch (problem) {
      if (signal.aborted) return
      setError(problem)
      onFail()
    }
    setLoading(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once; another file is another element
  useEffect(() => {
    void readOn(nothing)
    return () => running.current?.abort()
  }, [])
  const isAtEnd = shown.decoder !== null && shown.read >= shown.total
  return {
    ...shown,
    isLoading,
    error,
    readOn: isLoading || isAtEnd || shown.isTooLong ? undefined : () => void readOn(shown),
  }
}
