/**
 * How large V8's young generation may become. What a start loads and keeps passes through it and makes it grow, and a
 * process at rest never gives that back: of a server with nothing to do it was a tenth of the memory.
 */
import { setFlagsFromString } from 'node:v8'

/** Keeps it at its first size until `letYoungSpaceGrow`; to be called before what is to be loaded. */
export const holdYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** V8's own way: under load it grows, so that less is copied. */
export const letYoungSpaceGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2')
