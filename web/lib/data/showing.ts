/** Shows changes in the lists, also before the server answers. */
import type { QueryKey } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import { queryClient } from '../server/query-client.ts'
import type { Outcome } from './batch.ts'
import type { Change } from './change.ts'
import { folderKey } from './folders.ts'
import { type Edit, editLists, type Lists, rememberLists } from './list-edits.ts'

type Items = readonly FileItem[]
type Send = Change<FileItem>['send']

/** An edit for a slice of items, and the lists that show it. */
export interface Shown {
  lists: Lists
  edit: (slice: Items) => Edit
}

/** Sends slices, and shows them in the lists. */
export const showing = (shown: readonly Shown[], send: (slice: Items) => Promise<Outcome>): Send => {
  const lists = shown.flatMap(each => each.lists)
  const show = (items: Items) => {
    for (const each of shown) editLists(each.lists, each.edit(items))
  }
  /** Rolls back what the server refused. */
  const showAndSend = async (slice: Items) => {
    await stopReading(lists, slice)
    const putBack = rememberLists(lists)
    show(slice)
    const outcome = await send(slice)
    putBack(outcome.failed.map(({ item }) => item))
    return outcome
  }
  return async (slice, isAtOnce) => {
    const outcome = await (isAtOnce ? showAndSend(slice) : send(slice))
    // A list that was read meanwhile has the items as they were.
    await stopReading(lists, slice)
    show(outcome.done)
    return outcome
  }
}

/** Cancels running requests for the affected lists; their answers would show the items as they were. */
async function stopReading(lists: Lists, items: Items): Promise<void> {
  const folders = [...new Set(items.map(({ parent_id }) => parent_id))].map(folderKey)
  const keys = lists.flatMap((list): QueryKey[] => (list === 'folder' ? folders : [[list]]))
  await Promise.all(keys.map(queryKey => queryClient.cancelQueries({ queryKey })))
}
