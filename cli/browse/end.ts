/** Reads the last day of a share or link. */
import { InvalidArgumentError } from 'commander'
import { CommandError } from '../../terminal/exit.ts'
import { parseUntil } from '../../terminal/options.ts'

/** Returns an ISO 8601 time, or null for no end. Throws `usage`. */
export function readEnd(text: string): string | null {
  if (text.trim() === '' || text.trim() === 'never') return null
  try {
    return parseUntil(text.trim())
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new CommandError('usage', 'Expected a day such as 2026-12-31, days such as 30d, or nothing')
  }
}
