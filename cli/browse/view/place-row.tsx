/** One team folder or share of a list. */
import { Text } from 'ink'
import { memo } from 'react'
import { visible } from '../../../terminal/visible.ts'
import type { Entry } from '../listing.ts'
import { padTo, widthOf } from '../text.ts'
import { gap } from './columns.ts'
import { type CellColumn, nameWidthOf } from './place-columns.ts'
import { colorOf } from './theme.ts'

interface PlaceRowProps {
  entry: Entry | undefined
  columns: readonly CellColumn[]
  width: number
  isCurrent: boolean
  isSelected: boolean
}

const newMark = ' New'

export const PlaceRow = memo(({ entry, columns, width, isCurrent, isSelected }: PlaceRowProps) => {
  if (entry === undefined) return <Text dimColor>{padTo(`${isCurrent ? '›' : ' '}    …`, width)}</Text>
  const room = nameWidthOf(columns, width)
  const mark = entry.share?.isNew ? newMark : ''
  const name = `${visible(entry.name)}${entry.is_directory ? '/' : ''}`
  const nameRoom = Math.min(widthOf(name), room - widthOf(mark))
  return (
    <Text inverse={isCurrent} bold={isSelected} wrap="truncate">
      {isCurrent ? '›' : ' '}
      <Text color={colorOf('accent')}>{isSelected ? '✓' : ' '}</Text>
      <Text color={colorOf('warning')}>{entry.is_favorite ? '★' : ' '}</Text>
      {'  '}
      <Text color={entry.is_directory ? colorOf('folder') : undefined} bold={entry.is_directory}>
        {padTo(name, nameRoom)}
      </Text>
      <Text color={colorOf('good')}>{mark}</Text>
      {' '.repeat(Math.max(0, room - nameRoom - widthOf(mark)))}
      {columns.map(column => (
        <Text key={column.head}>{' '.repeat(gap) + padTo(column.text(entry), column.width, column.align)}</Text>
      ))}{' '}
    </Text>
  )
})
