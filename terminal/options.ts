/** Parsers for options that are not plain text. */
import { InvalidArgumentError } from 'commander'
import { bytesOf } from '../src/api/size.ts'

/** Parses a whole number of 1 or more. Throws `InvalidArgumentError` for anything else. */
export function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count === 0) throw new InvalidArgumentError('Expected a whole number of 1 or more.')
  return count
}

/**
 * Parses a size, given as bytes or as a number with KB, MB or GB (base 1024), to bytes. Throws `InvalidArgumentError`.
 */
export function parseSize(text: string): number {
  const bytes = bytesOf(text)
  if (bytes === null) throw new InvalidArgumentError('Expected a size such as 500KB or 1.5GB.')
  return bytes
}

/** Collects the values of an option that may be given several times. */
export const addToList = (text: string, list: readonly string[] = []): string[] => [...list, text]
