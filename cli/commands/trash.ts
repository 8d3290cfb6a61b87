/** `filestore trash`: lists the trash, and restores or deletes what is in it. */
import type { Call } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { emptyTrash, listTrash } from '../../src/api/trash.ts'
import { countOf, formatTime, listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatTable } from '../../terminal/table.ts'
import { runEach } from '../each.ts'
import { formatPaths, pathCell, sizeCell } from '../item-cells.ts'
import { collect, readPages } from '../pages.ts'
import { pickOne } from '../pick.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'
import { deleteForGood, restoreItem } from '../trashing.ts'

export interface TrashOptions extends ProfileOption {
  json?: boolean
}

export interface DeleteOptions extends TrashOptions {
  yes?: boolean
}

export interface EmptyOptions extends DeleteOptions {
  olderThan?: number
}

const readTrash = (call: Call): Promise<FileItem[]> => collect(readPages(cursor => call(listTrash, { cursor })))

/** Finds an item in the trash by its id or by its former path, with or without the first slash. */
const pickTrashed = (items: readonly FileItem[], text: string): FileItem =>
  pickOne(items, text.replace(/\/+$/, ''), 'in the trash', ({ path }) => [path, path.slice(1)])

function formatTrash(items: readonly FileItem[]): string {
  const columns = [{ head: 'ID', align: 'right' }, { head: 'SIZE', align: 'right' }, { head: 'REMOVED' }] as const
  return formatTable(
    [...columns, { head: 'FROM' }],
    items.map(item => [String(item.id), sizeCell(item), formatTime(item.deleted_at ?? ''), pathCell(item)]),
  )
}

export const listTrashed = (options: TrashOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const items = await readTrash(call)
    if (options.json) return printJson(items)
    if (items.length === 0) return printNotice('The trash is empty')
    printData(formatTrash(items))
  })

export const restoreTrashed = (names: string[], options: TrashOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const items = await readTrash(call)
    await runEach(server, names, options, formatPaths('RESTORED TO'), async text => {
      const { id } = pickTrashed(items, text)
      return restoreItem(call, id)
    })
  })

export const deleteTrashed = (names: string[], options: DeleteOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(`Delete ${listNames(names)}, with all that is in folders?`, options.yes, server.signal)
    const items = await readTrash(call)
    await runEach(server, names, options, formatPaths('DELETED'), async text => {
      const item = pickTrashed(items, text)
      await deleteForGood(call, item.id)
      return item
    })
  })

export const emptyWholeTrash = (options: EmptyOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const { olderThan } = options
    const which = olderThan === undefined ? 'all' : `all from ${countOf(olderThan, 'day')} ago and before`
    await confirm(`Delete ${which} that is in the trash?`, options.yes, server.signal)
    const answer = await call(emptyTrash, { older_than_days: olderThan })
    if (options.json) return printJson(answer)
    printData(`Deleted ${countOf(answer.deleted, 'item')}`)
  })
