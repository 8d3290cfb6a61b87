/** Flags of `filestore serve` as arguments of the program. */
import type { Flags } from '../../src/config-options.ts'

const dashed = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

export const flagsOf = (flags: Flags & { workers?: string }): string[] =>
  Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [dashed(name), String(value)]))
