/** The message of a failed call, for people. */
import { ApiError } from '../../../src/api/client.ts'

/** The server's message for a failed call, else the given text. */
export const messageOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.hasSentence ? error.message : fallback
