/** Determines the error codes that a call can return: those that follow from its properties, and those that it names. */
import type { Access } from '../../access/policy.ts'
import { isSafe } from '../../api/endpoint.ts'
import { type ErrorCode, errorStatus } from '../../api/errors.ts'
import { beforePasswordChange } from '../caller.ts'
import { mayGrow } from '../limits/growth.ts'
import type { Operation } from './operations.ts'
import { toInputSchema } from './schemas.ts'

/** What a call asks of its caller: an access of users, or a link. */
export type DescribedAccess = Access | 'visitor'

/** Whether the input refers to an item, tag or row by its id, which may not exist. */
const namesRow = (operation: Operation): boolean =>
  /"(parent_|file_|tag_)?ids?":/.test(JSON.stringify(toInputSchema(operation.endpoint.input)))

/** Returns the codes that depend on the caller's credentials; `access` is undefined for a public call. */
function callerCodes({ endpoint }: Operation, access: DescribedAccess | undefined): ErrorCode[] {
  if (access === 'visitor') return ['rate_limited', ...(isSafe(endpoint.method) ? [] : (['bad_origin'] as const))]
  // A key is checked and charged on every call, even a public one.
  const codes: ErrorCode[] = ['unauthenticated', 'rate_limited']
  if (access === undefined) return codes
  if (access !== 'signed-in') codes.push('forbidden')
  if (!isSafe(endpoint.method)) codes.push('bad_origin')
  if (!beforePasswordChange.includes(endpoint)) codes.push('password_change_required')
  return codes
}

/** Returns the codes that a call can return, in the order of the table of codes. */
export function possibleCodes(operation: Operation, access: DescribedAccess | undefined): ErrorCode[] {
  const codes = new Set<ErrorCode>(['invalid_input', 'internal', 'unavailable'])
  for (const code of callerCodes(operation, access)) codes.add(code)
  if (!isSafe(operation.endpoint.method)) codes.add('request_timeout')
  for (const code of operation.endpoint.about.errors ?? []) codes.add(code)
  if (operation.endpoint.carrier.startsWith('json')) {
    codes.add('unsupported_media')
    codes.add('body_too_large')
  }
  if (namesRow(operation)) codes.add('not_found')
  if (mayGrow(operation.endpoint)) codes.add('storage_full')
  return (Object.keys(errorStatus) as ErrorCode[]).filter(code => codes.has(code))
}
