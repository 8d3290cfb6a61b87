/** `filestore ls`: lists a folder. */
import { ApiError, type Call } from '../../src/api/client.ts'
import type { SortKey } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { fileKind } from '../../src/api/kinds.ts'
import { formatTime } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { type Column, formatTable } from '../../terminal/table.ts'
import { nameCell, sizeCell } from '../item-cells.ts'
import { collect, readFolder } from '../pages.ts'
import { type RemotePlace, readPlaces } from '../places.ts'
import { findRemote, isAllPlaces } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface LsOptions extends ProfileOption {
  long?: boolean
  sort: SortKey
  reverse?: boolean
  json?: boolean
}

const sizeColumn: Column = { head: 'SIZE', align: 'right' }
const shortColumns: Column[] = [sizeColumn, { head: 'CHANGED' }, { head: 'NAME' }]
const longColumns: Column[] = [
  { head: 'ID', align: 'right' },
  { head: 'KIND' },
  { head: 'STATUS' },
  sizeColumn,
  { head: 'CHANGED' },
  { head: 'NAME [TAGS]' },
]

const shortRow = (item: FileItem): string[] => [sizeCell(item), formatTime(item.updated_at), nameCell(item)]

function longRow(item: FileItem): string[] {
  const kind = item.is_directory ? 'folder' : fileKind(item.mime_type)
  const status = item.is_directory ? '-' : item.validation_status
  const tags = item.tags.length === 0 ? '' : ` [${item.tags.map(tag => tag.name).join(', ')}]`
  const name = `${item.name}${item.is_directory ? '/' : ''}${tags}`
  return [String(item.id), kind, status, sizeCell(item), formatTime(item.updated_at), name]
}

const formatItems = (items: readonly FileItem[], long: boolean): string =>
  long ? formatTable(longColumns, items.map(longRow)) : formatTable(shortColumns, items.map(shortRow))

function formatPlaces(places: readonly RemotePlace[]): string {
  const heads = ['KIND', 'LEVEL', 'FROM', 'PLACE'].map(head => ({ head }))
  const rows = places.map(({ id, kind, level, from, name, is_directory: isFolder }) => [
    String(id),
    kind,
    level,
    from ?? '-',
    `@${name}${isFolder ? '/' : ''}`,
  ])
  return formatTable([{ head: 'ID', align: 'right' }, ...heads], rows)
}

const listPlaces = (options: LsOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const places = await readPlaces(call)
    if (options.json) return printJson(places)
    if (places.length === 0) return printNotice('There are no team folders, and nothing is shared with you')
    printData(formatPlaces(places))
  })

const empty = 'This folder is empty'

/** Who has nothing of their own is told where the rest is. A key for one folder may not ask, and has no other place. */
async function explainEmptyRoot(call: Call): Promise<string> {
  const places = await readPlaces(call).catch(error => {
    if (error instanceof ApiError && error.code === 'forbidden') return []
    throw error
  })
  return places.length === 0 ? empty : `${empty}; 'filestore ls @' lists team folders and what is shared with you`
}

const listItems = (path: string, options: LsOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const item = await findRemote(call, path)
    const order = { sort: options.sort, order: options.reverse ? 'desc' : 'asc' } as const
    const items = item === null || item.is_directory ? await collect(readFolder(call, item?.id ?? null, order)) : [item]
    if (options.json) return printJson(items)
    if (items.length === 0) return printNotice(item === null ? await explainEmptyRoot(call) : empty)
    printData(formatItems(items, options.long === true))
  })

/** Lists a folder, all places for `@`, or the single file that the path names. */
export const list = (path: string, options: LsOptions): Promise<void> =>
  isAllPlaces(path) ? listPlaces(options) : listItems(path, options)
