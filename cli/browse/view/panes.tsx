/** The panes that replace the list or are beside it: preview, help, and lists to choose from. */
import { Box, Text } from 'ink'
import { visible } from '../../../terminal/visible.ts'
import { type HelpLine, helpRows } from '../help-text.ts'
import { dialogRows, previewRows } from '../layout.ts'
import { type Entry, entryAt, isLoaded, lengthOf } from '../listing.ts'
import type { Picker, Preview, TagChooser } from '../modes.ts'
import { refusalOfShown } from '../picking.ts'
import { previewLines } from '../preview-lines.ts'
import type { State } from '../state.ts'
import { coverage } from '../tagging.ts'
import { padTo, shorten, shortenStart } from '../text.ts'
import { chosenColor, colorOf } from './theme.ts'

export const Title = ({ text, columns }: { text: string; columns: number }) => (
  <Text bold color={colorOf('accent')} wrap="truncate">
    {` ${shorten(text, columns - 2)}`}
  </Text>
)

export const PreviewPane = ({ state, preview, columns }: { state: State; preview: Preview; columns: number }) => {
  const lines = previewLines(preview, columns - 2)
  return (
    <Box flexDirection="column" width={columns}>
      <Title text={visible(preview.entry.name)} columns={columns} />
      {lines.slice(preview.top, preview.top + previewRows(state)).map((line, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
          key={index}
          dimColor={line.tone === 'faint'}
          color={line.tone === 'label' ? colorOf('accent') : undefined}
          wrap="truncate"
        >
          {` ${line.text}`}
        </Text>
      ))}
    </Box>
  )
}

const HelpCell = ({ line, columns }: { line: HelpLine | undefined; columns: number }) => {
  if (line === undefined) return <Text>{' '.repeat(columns)}</Text>
  if ('title' in line) {
    return (
      <Text bold color={colorOf('accent')}>
        {padTo(` ${line.title}`, columns)}
      </Text>
    )
  }
  return (
    <Text>
      <Text bold>{padTo(`   ${line.label}`, 14)}</Text>
      {padTo(line.does, columns - 14)}
    </Text>
  )
}

export const HelpPane = ({ state, top, rows }: { state: State; top: number; rows: number }) => {
  const half = Math.floor(state.columns / 2)
  return (
    <Box flexDirection="column" height={rows}>
      {helpRows(state)
        .slice(top, top + rows)
        .map(([left, right], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
          <Text key={index} wrap="truncate">
            <HelpCell line={left} columns={half} />
            <HelpCell line={right} columns={state.columns - half} />
          </Text>
        ))}
    </Box>
  )
}

const Choice = ({ text, isCurrent, columns }: { text: string; isCurrent: boolean; columns: number }) => (
  <Text inverse={isCurrent} wrap="truncate">
    {padTo(` ${isCurrent ? '›' : ' '} ${text}`, columns)}
  </Text>
)

const PickerNote = ({ picker }: { picker: Picker }) => {
  const { folder, source } = picker.place
  const refusal = refusalOfShown(picker)
  const note = source.kind === 'places' ? undefined : (refusal ?? (folder && picker.noteOf(folder)))
  return (
    <Text color={refusal === undefined ? undefined : colorOf('warning')} wrap="truncate">
      {` ${note ?? ''}`}
    </Text>
  )
}

/** What tells a place from a folder: where it is found. */
const placeWords = ({ place }: Entry): string =>
  place === null ? '' : place.kind === 'team' ? 'team folder' : `from ${visible(place.from ?? '')}`

export const PickerPane = ({ state, picker }: { state: State; picker: Picker }) => {
  const { place, verb } = picker
  const columns = state.columns - 2
  const isPlaces = place.source.kind === 'places'
  const count = lengthOf(place.listing) + 1
  const shown = Math.min(dialogRows(state), count - place.top)
  const textAt = (index: number): string => {
    if (index === 0) return isPlaces ? 'My files/' : `● here: ${shortenStart(visible(place.path), columns - 14)}`
    const folder = entryAt(place.listing, index - 1)
    if (folder === undefined) return '…'
    const name = `${visible(folder.name)}/`
    if (!isPlaces) return name
    const words = placeWords(folder)
    return `${padTo(name, Math.floor(columns * 0.6))}  ${words}`
  }
  return (
    <Box flexDirection="column" paddingX={1}>
      <Title text={isPlaces ? `${verb}: all places` : verb} columns={columns} />
      <PickerNote picker={picker} />
      {Array.from({ length: shown }, (_, offset) => (
        <Choice
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
          key={offset}
          text={textAt(place.top + offset)}
          isCurrent={place.top + offset === place.cursor}
          columns={columns}
        />
      ))}
      {picker.busy && <Text dimColor> Working…</Text>}
      {!isLoaded(place.listing) && <Text dimColor> Reading…</Text>}
      {isLoaded(place.listing) && count === 1 && !isPlaces && <Text dimColor> No folders in this location</Text>}
    </Box>
  )
}

const marks = { none: '[ ]', some: '[-]', all: '[✓]' } as const

export const TagPane = ({ state, chooser }: { state: State; chooser: TagChooser }) => {
  const columns = state.columns - 2
  const rows = dialogRows(state)
  const top = Math.max(0, chooser.cursor - rows + 1)
  const { tags } = chooser
  return (
    <Box flexDirection="column" paddingX={1}>
      <Title
        text={`Tags of ${chooser.entries.length === 1 ? visible(chooser.entries[0]?.name ?? '') : `${chooser.entries.length} files`}`}
        columns={columns}
      />
      {tags === undefined && <Text dimColor> Reading…</Text>}
      {tags?.length === 0 && <Text dimColor> No tags yet · n makes one</Text>}
      {tags?.slice(top, top + rows).map((tag, offset) => (
        <Text key={tag.id} inverse={top + offset === chooser.cursor} wrap="truncate">
          {` ${top + offset === chooser.cursor ? '›' : ' '} ${marks[coverage(chooser, tag)]} `}
          <Text color={chosenColor(tag.color)}>●</Text>
          {padTo(` ${visible(tag.name)}`, columns - 8)}
        </Text>
      ))}
    </Box>
  )
}
