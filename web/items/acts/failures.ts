/** Why an act failed for some of its items, in words. */
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { shortName } from '../../lib/words/short-name.ts'
import { itemCount } from '../counts.ts'
import type { ActOutcome } from './slices.ts'

/** How many reasons are told apart. */
const shownReasons = 3

/** Failures of one kind: their messages differ only in the item's name. */
interface Kind {
  error: unknown
  /** The first item that failed so. */
  item: FileItem
  count: number
}

function kindsOf(failures: ActOutcome<FileItem>['failed']): Kind[] {
  const kinds = new Map<string, Kind>()
  for (const { item, error } of failures) {
    const key = error instanceof ApiError ? [error.code, ...Object.keys(error.fields)].join() : reasonOf(error)
    const kind = kinds.get(key)
    if (kind) kind.count += 1
    else kinds.set(key, { item, error, count: 1 })
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count)
}

/** As in "2 of 300 items: File not found. a.txt: The name is already taken". One item is named; it may leave the list. */
export function reasonOfFailures({ done, failed, left }: ActOutcome<FileItem>): string {
  const kinds = kindsOf(failed)
  const total = done.length + failed.length + left.length
  const whose = ({ item, count }: Kind): string => {
    if (count === 1) return `${shortName(item.name, item.is_directory)}: `
    return count === total ? '' : `${count.toLocaleString('en-US')} of ${itemCount(total)}: `
  }
  const reasons = kinds.slice(0, shownReasons).map(kind => whose(kind) + reasonOf(kind.error))
  if (left.length > 0) reasons.push(`${itemCount(left.length)} ${left.length === 1 ? 'was' : 'were'} not tried`)
  const last = reasons.pop()
  return [...reasons.map(reason => reason.replace(/\.?$/, '.')), last].join(' ')
}
