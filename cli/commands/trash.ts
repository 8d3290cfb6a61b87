/** `filestore trash`: lists the trash, and restores or deletes what is in it. */
import type { FileItem } from '../../src/api/items.ts'
import { emptyTrash } from '../../src/api/trash.ts'
import { countOf, formatTime, listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatTable } from '../../terminal/table.ts'
import { runEach } from '../each.ts'
import { formatPaths, pathCell, sizeCell } from '../item-cells.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'
import { findTeam, openTrashes, readTrash } from '../trashes.ts'
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

function formatTrash(items: readonly FileItem[]): string {
  const columns = [{ head: 'ID', align: 'right' }, { head: 'SIZE', align: 'right' }, { head: 'REMOVED' }] as const
  return formatTable(
    [...columns, { head: 'FROM' }],
    items.map(item => [String(item.id), sizeCell(item), formatTime(item.deleted_at ?? ''), pathCell(item)]),
  )
}

/** Lists the own trash, or with `team` that of a team folder. */
export const listTrashed = (team: string | undefined, options: TrashOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const items = await readTrash(call, await findTeam(call, team))
    if (options.json) return printJson(items)
    if (items.length === 0) return printNotice('Trash is empty')
    printData(formatTrash(items))
  })

export const restoreTrashed = (names: string[], options: TrashOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const findTrashed = openTrashes(call)
    await runEach(server, names, options, formatPaths('RESTORED TO'), async text =>
      restoreItem(call, (await findTrashed(text)).id),
    )
  })

export const deleteTrashed = (names: string[], options: DeleteOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(`Permanently delete ${listNames(names)}, with all that is in folders?`, options.yes, server.signal)
    const findTrashed = openTrashes(call)
    await runEach(server, names, options, formatPaths('DELETED'), async text => {
      const item = await findTrashed(text)
      await deleteForGood(call, item.id)
      return item
    })
  })

/** Deletes all that is in the own trash, or with `team` in that of a team folder. */
export const emptyWholeTrash = (team: string | undefined, options: EmptyOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const { olderThan } = options
    const folderId = await findTeam(call, team)
    const which = olderThan === undefined ? 'all' : `all from ${countOf(olderThan, 'day')} ago and before`
    const trash = folderId === undefined ? 'the trash' : `the trash of '${team}'`
    await confirm(`Permanently delete ${which} that is in ${trash}?`, options.yes, server.signal)
    const answer = await call(emptyTrash, { folder_id: folderId, older_than_days: olderThan })
    if (options.json) return printJson(answer)
    printData(`Deleted ${countOf(answer.deleted, 'item')}`)
  })
