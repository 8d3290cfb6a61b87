/** A row of figures, the check of its bound, and the table of all rows. */
import Table from 'cli-table3'
import type { Figures } from './measure.ts'

/** One MB has 1024² bytes, as everywhere in the product. */
export type Unit = 'MB/s' | 'MB' | 'B' | 'ms' | 'µs' | 'files/s' | 'requests/s' | 'requests' | 'rows'

/** Which figure the limit applies to, and whether it is a maximum or a minimum. */
export interface Bound {
  of: 'median' | 'p95' | 'p99' | 'max' | 'ratio'
  side: 'at least' | 'at most'
  limit: number
}

export interface Row {
  name: string
  unit: Unit
  value: Figures
  /** The figure for comparison, measured in turns with the value. */
  reference?: { name: string; figures: Figures }
  /** filestore's figure of the same run, for a row of another server. */
  own?: Figures | undefined
  /** Absent when the figure has no bound. */
  bound?: Bound | undefined
}

/** The ratio of the value's median to the reference's. */
export const ratioOf = ({ value, reference }: Row): number | null =>
  reference === undefined ? null : value.median / reference.figures.median

/** The ratios to the reference and to filestore's figure, as far as the row has them. */
function describeRatios(row: Row): string {
  const ratios = [ratioOf(row)?.toFixed(2), row.own && `filestore ${(row.value.median / row.own.median).toFixed(2)}`]
  return ratios.filter(Boolean).join('; ')
}

/** Tells whether a row keeps its bound; null when it has none. */
export function keepsBound(row: Row): boolean | null {
  if (row.bound === undefined) return null
  const { of, side, limit } = row.bound
  const figure = of === 'ratio' ? (ratioOf(row) ?? Number.NaN) : row.value[of]
  // A figure that is not a number breaks its bound.
  return side === 'at least' ? figure >= limit : figure <= limit
}

const digitsOf = (value: number): number => (value >= 100 ? 0 : value >= 10 ? 1 : 2)
const round = (value: number): string => value.toFixed(digitsOf(value))

function describeFigures({ median, min, max }: Figures, unit: Unit): string {
  return min === max ? `${round(median)} ${unit}` : `${round(median)} ${unit} (${round(min)}–${round(max)})`
}

function describeBound({ of, side, limit }: Bound, unit: Unit): string {
  const sign = side === 'at least' ? '≥' : '≤'
  return of === 'ratio' ? `ratio ${sign} ${limit}` : `${of === 'median' ? '' : `${of} `}${sign} ${limit} ${unit}`
}

/** The figure under the bound, when the range does not show it. */
function describeTail({ bound, value, unit }: Row): string {
  return bound?.of === 'p95' || bound?.of === 'p99' ? `, ${bound.of} ${round(value[bound.of])} ${unit}` : ''
}

function verdictOf(row: Row): string {
  const kept = keepsBound(row)
  if (kept === null) return ''
  return kept ? 'ok' : 'MISS'
}

/** Formats the rows as a table, with the ranges in brackets after the medians. */
export function renderTable(rows: readonly Row[]): string {
  const table = new Table({
    head: ['name', 'value', 'reference', 'ratio', 'bound', ''],
    colAligns: ['left', 'right', 'right', 'right', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  })
  for (const row of rows) {
    const { name, unit, value, reference, bound } = row
    table.push([
      name,
      describeFigures(value, unit) + describeTail(row),
      reference === undefined ? '' : `${reference.name}: ${describeFigures(reference.figures, unit)}`,
      describeRatios(row),
      bound === undefined ? '' : describeBound(bound, unit),
      verdictOf(row),
    ])
  }
  return table.toString()
}
