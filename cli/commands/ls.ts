/** `filestore ls`: what is in a folder. */
import type { Call } from '../../src/api/client.ts'
import { listFiles, type SortKey } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { fileKind } from '../../src/api/kinds.ts'
import { formatSize, formatTime } from '../format.ts'
import { printData, printJson, printNotice } from '../output.ts'
import { findRemote } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'
import { type Column, formatTable } from '../table.ts'

export interface LsOptions extends ProfileOption {
  long?: boolean
  sort: SortKey
  reverse?: boolean
  json?: boolean
}

/** Every entry of a folder, over all pages; folders first. */
async function listFolder(call: Call, parentId: number | null, options: LsOptions): Promise<FileItem[]> {
  const query = { parent_id: parentId, sort: options.sort, order: options.reverse ? 'desc' : 'asc' } as const
  const items: FileItem[] = []
  let cursor: string | undefined
  do {
    const page = await call(listFiles, { ...query, cursor })
    items.push(...page.folders, ...page.files)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

function nameCell(item: FileItem): string {
  const status = item.validation_status === 'approved' ? '' : ` (${item.validation_status})`
  return `${item.name}${item.is_directory ? '/' : ''}${status}`
}

const sizeCell = (item: FileItem): string => (item.is_directory ? '-' : formatSize(item.size))
const shortColumns: Column[] = [{ head: 'SIZE', align: 'right' }, { head: 'CHANGED' }, { head: 'NAME' }]
const longColumns: Column[] = [{ head: 'ID', align: 'right' }, { head: 'KIND' }, ...shortColumns]

function formatItems(items: readonly FileItem[], long: boolean): string {
  const rows = items.map(item => {
    const kind = item.is_directory ? 'folder' : fileKind(item.mime_type)
    const cells = [sizeCell(item), formatTime(item.updated_at), nameCell(item)]
    return long ? [String(item.id), kind, ...cells] : cells
  })
  return formatTable(long ? longColumns : shortColumns, rows)
}

/** Lists a folder, or the one file that the path names. */
export const list = (path: string, options: LsOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const item = await findRemote(call, path)
    const items = item === null || item.is_directory ? await listFolder(call, item?.id ?? null, options) : [item]
    if (options.json) return printJson(items)
    if (items.length === 0) return printNotice('This folder is empty')
    printData(formatItems(items, options.long === true))
  })
