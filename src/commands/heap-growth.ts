/**
 * Limits how far V8's heap grows before it is collected. What a start loads passes through it and makes it grow, and an
 * idle process never gives that memory back: it was a tenth of the memory of an idle server.
 */
import { setFlagsFromString } from 'node:v8'

/** Keeps the young generation at its initial size until `letHeapGrow`. Call it before loading modules. */
export const keepHeapSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/**
 * Restores V8's default for the young generation, which grows under load, so that less is copied. The old generation is
 * collected when it has grown by half. By default V8 waits until it is a multiple, and forms that were refused took
 * three times the memory of those that are held.
 */
export function letHeapGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
  setFlagsFromString('--heap-growing-percent=50')
}
