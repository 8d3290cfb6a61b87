/** The option `--rate` of commands that read much. */
import { InvalidArgumentError } from 'commander'
import { parseSize } from '../terminal/options.ts'

/** Parses a rate in bytes per second. Throws `InvalidArgumentError` for less than 1 byte. */
export function parseRate(text: string): number {
  const rate = parseSize(text)
  if (rate === 0) throw new InvalidArgumentError('Expected at least 1 byte.')
  return rate
}
