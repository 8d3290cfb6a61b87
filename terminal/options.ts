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

const dayMs = 24 * 60 * 60 * 1000

/** Returns the last moment of a day of this machine's time zone, or null if there is no such date. */
function endOfDay(text: string): Date | null {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  const end = new Date(year, month - 1, day, 23, 59, 59, 999)
  return end.getMonth() === month - 1 && end.getDate() === day ? end : null
}

/**
 * Parses the end of a share: `30d` is so many days from now, and a date its whole day. Returns an ISO 8601 time, or
 * `never` as it is. Throws `InvalidArgumentError`.
 */
export function parseUntil(text: string): string {
  if (text === 'never') return text
  const [, days] = /^([1-9]\d{0,4})d$/.exec(text) ?? []
  const end = days === undefined ? endOfDay(text) : new Date(Date.now() + Number(days) * dayMs)
  if (end === null) throw new InvalidArgumentError("Expected days such as 30d, a date (YYYY-MM-DD), or 'never'.")
  return end.toISOString()
}
