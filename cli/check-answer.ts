/** Checks a server's answers against the contract, so that no later code meets a name that is null. */
import type * as z from 'zod/mini'
import { ApiError } from '../src/api/client.ts'
import type { Endpoint } from '../src/api/endpoint.ts'

/**
 * Whether the only problem is an unknown word in an enum: a newer server may have more words than this client knows.
 */
const isNewWord = ({ code, input }: z.core.$ZodIssue): boolean => code === 'invalid_value' && typeof input === 'string'

const refuse = (): ApiError => new ApiError(200, 'Invalid response format', { hasSentence: false })

/** More values than the largest list contains: 10,000 entries of twenty fields, and 16 MB of tags. */
const maxValues = 1_500_000

/** Whether there are so many values that listing what is wrong with each would exhaust the memory. */
function hasTooMany(data: unknown): boolean {
  const waiting = [data]
  let count = 0
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += inside.length
    if (count > maxValues) return true
    for (const one of inside) if (typeof one === 'object') waiting.push(one)
  }
  return false
}

/**
 * Returns the data unchanged, including fields that this client does not know. Throws `ApiError` if it does not match
 * the call's schema.
 */
export function checkAnswer<Output extends z.ZodMiniType>(
  { output }: Endpoint<z.ZodMiniType, Output>,
  data: unknown,
): z.output<Output> {
  if (hasTooMany(data)) throw refuse()
  const { error } = output.safeParse(data, { reportInput: true })
  if (error !== undefined && !error.issues.every(isNewWord)) throw refuse()
  return data as z.output<Output>
}
