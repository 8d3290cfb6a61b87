/** The list of a place, with column heads. */
import { Box, Text } from 'ink'
import type { SortKey } from '../../../src/api/files.ts'
import { entryAt, isLoaded, lengthOf } from '../listing.ts'
import { type State, viewOf } from '../state.ts'
import { padTo } from '../text.ts'
import { type Columns, columnsOf, gap, markColumns } from './columns.ts'
import { EntryRow } from './entry-row.tsx'
import { colorOf } from './theme.ts'

const space = ' '.repeat(gap)

function headLine(state: State, columns: Columns): string {
  const { source } = state.place
  const sorted = source.kind === 'folder' ? source : undefined
  const arrow = sorted?.reverse ? '▼' : '▲'
  const head = (title: string, sort: SortKey) => (sorted?.sort === sort ? `${title} ${arrow}` : title)
  const name = sorted?.sort === 'type' ? `Name (by type ${arrow})` : head('Name', 'name')
  const cell = (text: string, width: number, align?: 'right') => (width === 0 ? '' : space + padTo(text, width, align))
  return [
    ' '.repeat(markColumns) + padTo(name, columns.name),
    cell('Folder', columns.place),
    cell('Owner', columns.owner),
    cell('Tags', columns.tags),
    cell('Status', columns.status),
    cell(head('Size', 'size'), columns.size, 'right'),
    cell(viewOf(state.place) === 'trash' ? 'Deleted' : head('Changed', 'date'), columns.date),
  ].join('')
}

function emptyText({ place, message }: State): string {
  if (!isLoaded(place.listing)) return message?.tone === 'error' ? 'Not read' : 'Reading…'
  const { source } = place
  if (source.kind === 'search') return 'Nothing is called so'
  if (source.kind === 'favorites') return 'No favorites yet · f marks what the cursor is on'
  if (source.kind === 'trash') return 'The trash is empty'
  if (source.kind === 'pending') return 'Nothing waits for approval'
  if (source.kind === 'recent') return 'No files yet'
  if (source.kind === 'tag') return 'No files have this tag'
  return 'This folder is empty · u uploads, n makes a folder'
}

export const EntryList = ({ state, width, rows }: { state: State; width: number; rows: number }) => {
  const { place, selection } = state
  const columns = columnsOf(place, width)
  const shown = Math.max(0, Math.min(rows - 1, lengthOf(place.listing) - place.top))
  const time = viewOf(place) === 'trash' ? 'deleted_at' : 'updated_at'
  return (
    <Box flexDirection="column" width={width} height={rows}>
      <Text color={colorOf('accent')} bold wrap="truncate">
        {headLine(state, columns)}
      </Text>
      {shown === 0 && <Text dimColor>{`\n${' '.repeat(markColumns)}${emptyText(state)}`}</Text>}
      {Array.from({ length: shown }, (_, offset) => {
        const index = place.top + offset
        const entry = entryAt(place.listing, index)
        return (
          <EntryRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
            key={offset}
            entry={entry}
            columns={columns}
            width={width}
            isCurrent={index === place.cursor}
            isSelected={entry !== undefined && selection.has(entry.id)}
            time={time}
          />
        )
      })}
    </Box>
  )
}
