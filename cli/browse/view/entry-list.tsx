/** The list of a place, with column heads. */
import { Box, Text } from 'ink'
import type { SortKey } from '../../../src/api/files.ts'
import { entryAt, lengthOf, rowId } from '../listing.ts'
import { viewOf } from '../place.ts'
import type { State } from '../state.ts'
import { padTo } from '../text.ts'
import { type Columns, columnsOf, gap, markColumns } from './columns.ts'
import { emptyLines } from './empty-text.ts'
import { EntryRow } from './entry-row.tsx'
import { type CellColumn, cellColumnsOf, nameWidthOf } from './place-columns.ts'
import { PlaceRow } from './place-row.tsx'
import { colorOf } from './theme.ts'

const space = ' '.repeat(gap)

/** The head of a list of team folders or shares. */
const placeHead = (columns: readonly CellColumn[], width: number): string =>
  ' '.repeat(markColumns) +
  padTo('Name', nameWidthOf(columns, width)) +
  columns.map(column => space + padTo(column.head, column.width, column.align)).join('')

function headLine(state: State, columns: Columns): string {
  const { source } = state.place
  const sorted = source.kind === 'folder' ? source : undefined
  const arrow = sorted?.reverse ? '▼' : '▲'
  const head = (title: string, sort: SortKey) => (sorted?.sort === sort ? `${title} ${arrow}` : title)
  const name = sorted?.sort === 'type' ? `Name (by type ${arrow})` : head('Name', 'name')
  const cell = (text: string, width: number, align?: 'right') => (width === 0 ? '' : space + padTo(text, width, align))
  return [
    ' '.repeat(markColumns) + padTo(name, columns.name),
    cell(viewOf(state.place) === 'trash' ? 'Was in' : 'Location', columns.place),
    cell('Owner', columns.owner),
    cell('Tags', columns.tags),
    cell('Status', columns.status),
    cell(head('Size', 'size'), columns.size, 'right'),
    cell(viewOf(state.place) === 'trash' ? 'Deleted' : head('Changed', 'date'), columns.date),
  ].join('')
}

const Empty = ({ state, width }: { state: State; width: number }) => (
  <Box flexDirection="column" width={width - 1} paddingTop={1} paddingLeft={markColumns}>
    {emptyLines(state).map((line, index) => (
      <Text key={line} dimColor={index > 0} wrap="wrap">
        {line}
      </Text>
    ))}
  </Box>
)

export const EntryList = ({ state, width, rows }: { state: State; width: number; rows: number }) => {
  const { place, selection } = state
  const cells = cellColumnsOf(place, width)
  const columns = columnsOf(place, width)
  const shown = Math.max(0, Math.min(rows - 1, lengthOf(place.listing) - place.top))
  const time = viewOf(place) === 'trash' ? 'deleted_at' : 'updated_at'
  return (
    <Box flexDirection="column" width={width} height={rows}>
      <Text color={colorOf('accent')} bold wrap="truncate">
        {cells ? placeHead(cells, width) : headLine(state, columns)}
      </Text>
      {shown === 0 && <Empty state={state} width={width} />}
      {Array.from({ length: shown }, (_, offset) => {
        const index = place.top + offset
        const entry = entryAt(place.listing, index)
        const row = {
          entry,
          width,
          isCurrent: index === place.cursor,
          isSelected: entry !== undefined && selection.has(rowId(entry)),
        }
        return cells ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
          <PlaceRow key={offset} columns={cells} {...row} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
          <EntryRow key={offset} columns={columns} time={time} {...row} />
        )
      })}
    </Box>
  )
}
