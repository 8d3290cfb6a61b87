/**
 * Limits how far V8's heap grows before it is collected. What a start loads passes through it and makes it grow, and an
 * idle process never gives that memory back: it was a tenth of the memory of an idle server.
 */
import { setFlagsFromString } from 'node:v8'

/** Keeps the young generation at its initial size until `letHeapGrow`. Call it before loading modules. */
export const keepHeapSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** Restores V8's default: the young generation grows under load, so that less is copied. */
export const letHeapGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2')
