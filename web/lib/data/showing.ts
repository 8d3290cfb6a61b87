/** Shows a change in the lists before the server answers, and rolls back what it refuses. */
import type { QueryKey } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import { queryClient } from '../server/query-client.ts'
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

/** Sends slices, and shows each of them at once. */
export const showing =
  (shown: readonly Shown[], send: Send): Send =>
  async slice => {
    const lists = shown.flatMap(each => each.lists)
    const show = (items: Items) => {
      for (const each of shown) editLists(each.lists, each.edit(items))
    }
    await stopReading(lists, slice)
    const putBack = rememberLists(lists)
    show(slice)
    const outcome = await send(slice)
    putBack(outcome.failed.map(({ item }) => item))
    // Show it again: a list that was read in between has the items as they were.
    show(outcome.done)
    return outcome
  }

/** Cancels running requests for the affected lists; their answers would show the items as they were. */
async function stopReading(lists: Lists, items: Items): Promise<void> {
  const folders = [...new Set(items.map(({ parent_id }) => parent_id))].map(folderKey)
  const keys = lists.flatMap((list): QueryKey[] => (list === 'folder' ? folders : [[list]]))
  await Promise.all(keys.map(queryKey => queryClient.cancelQueries({ queryKey })))
}
