/** One entry of a list. */
import { Text } from 'ink'
import { memo } from 'react'
import { formatSize, formatTime } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import type { Entry } from '../listing.ts'
import { locationOf } from '../location.ts'
import { statusWord } from '../preview-lines.ts'
import { padTo, shorten, shortenStart, widthOf } from '../text.ts'
import { type Columns, gap } from './columns.ts'
import { chosenColor, colorOf } from './theme.ts'

interface EntryRowProps {
  entry: Entry | undefined
  columns: Columns
  width: number
  isCurrent: boolean
  isSelected: boolean
  /** The time to show: the deletion in the trash, otherwise the last change. */
  time: 'updated_at' | 'deleted_at'
}

const space = ' '.repeat(gap)

const Cell = ({ text, width, align }: { text: string; width: number; align?: 'right' }) =>
  width === 0 ? null : <Text>{space + padTo(text, width, align)}</Text>

interface TagPiece {
  text: string
  color?: string
}

/** Returns as many tags as fit, padded to exactly `width`; `+2` stands for the rest. */
function tagPieces(tags: Entry['tags'], width: number): TagPiece[] {
  const pieces: TagPiece[] = []
  let left = width
  for (const [index, tag] of tags.entries()) {
    const forRest = index < tags.length - 1 ? 3 : 0
    const name = index === 0 ? shorten(visible(tag.name), width - forRest) : ` ${visible(tag.name)}`
    if (widthOf(name) + forRest > left) break
    pieces.push({ text: name, color: tag.color })
    left -= widthOf(name)
  }
  const rest = tags.length > pieces.length ? ` +${tags.length - pieces.length}` : ''
  return [...pieces, { text: padTo(rest, left) }]
}

const Tags = ({ tags, width }: { tags: Entry['tags']; width: number }) => {
  if (width === 0) return null
  return (
    <Text>
      {space}
      {tagPieces(tags, width).map(({ text, color }) => (
        <Text key={text} color={color && chosenColor(color)}>
          {text}
        </Text>
      ))}
    </Text>
  )
}

const statusColors = { approved: 'good', pending: 'warning', rejected: 'bad' } as const

const Status = ({ status, width }: { status: Entry['validation_status']; width: number }) =>
  width === 0 ? null : <Text color={colorOf(statusColors[status])}>{space + padTo(statusWord(status), width)}</Text>

const Name = ({ entry, width }: { entry: Entry; width: number }) => {
  const name = `${visible(entry.name)}${entry.is_directory ? '/' : ''}`
  return (
    <Text color={entry.is_directory ? colorOf('folder') : undefined} bold={entry.is_directory}>
      {padTo(name, width)}
    </Text>
  )
}

export const EntryRow = memo(({ entry, columns, width, isCurrent, isSelected, time }: EntryRowProps) => {
  if (entry === undefined) return <Text dimColor>{padTo(`${isCurrent ? '›' : ' '}    …`, width)}</Text>
  const at = entry[time] ?? entry.updated_at
  return (
    <Text inverse={isCurrent} bold={isSelected} wrap="truncate">
      {isCurrent ? '›' : ' '}
      <Text color={colorOf('accent')}>{isSelected ? '✓' : ' '}</Text>
      <Text color={colorOf('warning')}>{entry.is_favorite ? '★' : ' '}</Text>
      <Text dimColor={!isCurrent}>{entry.is_shared ? '⇄' : ' '}</Text> <Name entry={entry} width={columns.name} />
      {columns.place > 0 && space + padTo(shortenStart(visible(locationOf(entry)), columns.place), columns.place)}
      <Cell text={visible(entry.owner ?? '')} width={columns.owner} />
      <Tags tags={entry.tags} width={columns.tags} />
      <Status status={entry.validation_status} width={columns.status} />
      <Cell text={entry.is_directory ? '-' : formatSize(entry.size)} width={columns.size} align="right" />
      <Cell text={formatTime(at).slice(0, columns.date)} width={columns.date} />{' '}
    </Text>
  )
})
