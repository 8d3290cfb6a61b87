/** The lines of a preview: the item's properties, then its content. */
import { kindLabel } from '../../src/api/kinds.ts'
import { formatSize, formatTime } from '../../terminal/format.ts'
import { visible } from '../../terminal/visible.ts'
import { shownPath } from '../places.ts'
import type { Preview } from './modes.ts'
import { breakLine } from './text.ts'

/** The approval status; nothing for an approved file. */
const statusWords = new Map([
  ['approved', ''],
  ['pending', 'Pending'],
  ['rejected', 'Rejected'],
])
/** The word for a validation status; a newer server's own word for one that this client does not know. */
export const statusWord = (status: string): string => statusWords.get(status) ?? visible(status)

interface PreviewLine {
  text: string
  tone: 'label' | 'text' | 'faint'
}

const labelColumns = 12

const pixelsOf = (content: Preview['content']): string | null =>
  content?.kind === 'image' ? `${content.width} × ${content.height} pixels` : null

function factsOf({ entry, details, content }: Preview): [label: string, value: string][] {
  const item = details ?? entry
  const type = item.is_directory ? '' : ` (${item.mime_type ?? 'unknown type'})`
  const facts: [string, string | null | undefined][] = [
    ['Type', `${kindLabel(item)}${type}`],
    ['Size', item.is_directory ? null : `${formatSize(item.size)}${item.size < 1024 ? '' : ` (${item.size} bytes)`}`],
    ['Dimensions', pixelsOf(content)],
    ['Path', shownPath(item)],
    ['Owner', entry.owner ?? (item.place === null ? null : item.owner_name)],
    ['Changed', formatTime(item.updated_at)],
    ['File date', item.modified_at && formatTime(item.modified_at)],
    ['Deleted', item.deleted_at && formatTime(item.deleted_at)],
    ['Tags', item.tags.map(tag => tag.name).join(', ')],
    ['Status', statusWord(item.validation_status)],
    ['Comment', item.validation_comment],
    ['Checksum', details?.sha256],
    ...(details?.metadata ?? []).map(({ label, value }): [string, string] => [label, value]),
  ]
  return facts.flatMap(([label, value]) => (value ? [[label, visible(value)]] : []))
}

function factLines([label, value]: [string, string], columns: number): PreviewLine[] {
  const name = label.length >= labelColumns ? `${visible(label)} ` : label.padEnd(labelColumns)
  return breakLine(`${name}${value}`, columns).map(text => ({ text, tone: 'label' }))
}

function contentLines({ entry, content }: Preview, columns: number): PreviewLine[] {
  if (content === undefined) return [{ text: 'Reading…', tone: 'faint' }]
  if (content.kind === 'image') return [{ text: 'D downloads it, to be looked at', tone: 'faint' }]
  if (content.kind === 'none') return breakLine(visible(content.reason), columns).map(text => ({ text, tone: 'faint' }))
  const lines = content.lines
    .flatMap(line => breakLine(line, columns))
    .map((text): PreviewLine => ({ text, tone: 'text' }))
  if (content.bytes >= entry.size) return lines
  return [...lines, { text: `The first ${formatSize(content.bytes)} of ${formatSize(entry.size)}`, tone: 'faint' }]
}

/** Returns all lines, each at most `columns` wide. */
export const previewLines = (preview: Preview, columns: number): PreviewLine[] => [
  ...factsOf(preview).flatMap(fact => factLines(fact, columns)),
  { text: '', tone: 'text' },
  ...contentLines(preview, columns),
]
