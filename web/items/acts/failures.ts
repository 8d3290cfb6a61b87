/** Why an act failed for some of its items, in words. */
import { ApiError } from '../../../src/api/client.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { itemCount } from '../counts.ts'
import type { ActOutcome } from './slices.ts'

/** How many reasons are told apart. */
const shownReasons = 3

/** Failures of one kind: their messages differ only in the item's name. */
interface Kind {
  error: unknown
  count: number
}

function kindsOf(errors: readonly unknown[]): Kind[] {
  const kinds = new Map<string, Kind>()
  for (const error of errors) {
    const key = error instanceof ApiError ? [error.code, ...Object.keys(error.fields)].join() : reasonOf(error)
    const kind = kinds.get(key)
    if (kind) kind.count += 1
    else kinds.set(key, { error, count: 1 })
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count)
}

/** As in "2 of 300 items: File not found. 1 of 300 items: 'a.txt' is already taken". */
export function reasonOfFailures({ done, failed, left }: ActOutcome<unknown>): string {
  const kinds = kindsOf(failed.map(({ error }) => error))
  const total = done.length + failed.length + left.length
  const isAll = kinds.length === 1 && failed.length === total
  const reasons = kinds.slice(0, shownReasons).map(({ error, count }) => {
    const share = isAll ? '' : `${count.toLocaleString('en-US')} of ${itemCount(total)}: `
    return share + reasonOf(error)
  })
  if (left.length > 0) reasons.push(`${itemCount(left.length)} ${left.length === 1 ? 'was' : 'were'} not tried`)
  const last = reasons.pop()
  return [...reasons.map(reason => reason.replace(/\.?$/, '.')), last].join(' ')
}
