/** The change of an item's name: shown at once, rolled back when the server refuses. */
import { renameFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'
import { oneByOne } from './batch.ts'
import type { Change } from './change.ts'
import { folderKey } from './folders.ts'
import { editLists, everywhere } from './list-edits.ts'

/** `done` is the item as it was. */
export const renaming = (name: string): Change<FileItem> => ({
  send: slice =>
    oneByOne(slice, async item => {
      await queryClient.cancelQueries({ queryKey: folderKey(item.parent_id) })
      show(item, name)
      try {
        await call(renameFile, { id: item.id, name })
      } catch (error) {
        show(item, item.name)
        throw error
      }
      return item
    }),
  first: 1,
})

const show = ({ id }: FileItem, name: string): void =>
  editLists(everywhere, entry => (entry.id === id ? { ...entry, name } : entry))
