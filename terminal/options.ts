/** How options are read that are no plain text. */
import { InvalidArgumentError } from 'commander'
import { bytesOf } from '../src/api/size.ts'

/** A whole number of 1 or more. */
export function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count === 0) throw new InvalidArgumentError('Expected a whole number of 1 or more.')
  return count
}

/** Bytes, or a number with KB, MB or GB (base 1024). */
export function parseSize(text: string): number {
  const bytes = bytesOf(text)
  if (bytes === null) throw new InvalidArgumentError('Expected a size such as 500KB or 1.5GB.')
  return bytes
}

/** For an option that may be given several times. */
export const addToList = (text: string, list: readonly string[] = []): string[] => [...list, text]
