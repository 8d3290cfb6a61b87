/** Formats tables for people: plain columns, two spaces apart. The width of the last column is not limited. */
import Table from 'cli-table3'
import { visible } from './visible.ts'

export interface Column {
  head: string
  align?: 'right'
}

const edges = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
const lines = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid']
const noBorders = Object.fromEntries([...edges, ...lines].map(name => [name, '']))

/** Rows per layout, because cli-table3's time grows with the square of a table's height. */
const sliceHeight = 200

/** The most terminal columns that a text can take. Characters from U+1100 on may take two. */
const widthOf = (text: string): number => text.length + text.replaceAll(/[^\u1100-\uffff]/g, '').length

function layOut(rows: readonly (readonly string[])[], aligns: ('left' | 'right')[]): string {
  const cells = rows.map(row => row.map(visible))
  const widths = aligns.map((_, index) => cells.reduce((width, row) => Math.max(width, widthOf(row[index] ?? '')), 0))
  const slices: string[] = []
  for (let start = 0; start < cells.length; start += sliceHeight) {
    const table = new Table({
      chars: { ...noBorders, middle: '  ' },
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      colAligns: aligns,
      colWidths: widths.map((width, index) => (index < widths.length - 1 ? width : null)),
    })
    table.push(...cells.slice(start, start + sliceHeight))
    slices.push(table.toString())
  }
  return slices.join('\n').replace(/ +$/gm, '')
}

/** Formats rows under their column heads. Cells may hold untrusted text. */
export const formatTable = (columns: readonly Column[], rows: readonly (readonly string[])[]): string =>
  layOut(
    [columns.map(column => column.head), ...rows],
    columns.map(column => column.align ?? 'left'),
  )

/** Formats the properties of one thing, one per line. They may hold untrusted text. */
export const formatRecord = (properties: readonly (readonly [string, string])[]): string =>
  layOut(properties, ['left', 'left'])
