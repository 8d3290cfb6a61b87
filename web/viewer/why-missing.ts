/** Why a file cannot be shown. */
import { ApiError } from '../../src/api/client.ts'
import { reasonOf } from '../lib/server/call.ts'

/** Of a file that the server does not find for the user. */
export const whyGone = 'It was moved to the trash, deleted, or is no longer yours to see.'

/** The sentence for an error of asking for the file. */
export const whyMissing = (error: unknown): string =>
  error instanceof ApiError && error.status === 404 ? whyGone : reasonOf(error)
