/**
 * Limits how V8's heap grows. What a start loads passes through the young generation and makes it grow, and an idle
 * process never gives that memory back: it was a tenth of the memory of an idle server. What large answers leave behind
 * was collected only after 150 MB of it, though a server keeps 30 MB.
 */
import { setFlagsFromString } from 'node:v8'

/** Keeps the young generation at its initial size until `letHeapServe`. Call it before loading modules. */
export const holdYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/**
 * Restores V8's default for the young generation: it grows under load, so that less is copied. The whole heap is
 * collected once it has grown by half.
 */
export function letHeapServe(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
