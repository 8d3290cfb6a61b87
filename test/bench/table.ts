/** What a measurement says, whether it keeps its bound, and the table of all of them. */
import Table from 'cli-table3'
import type { Figures } from './measure.ts'

/** MB count 1024² bytes, as sizes do everywhere in the product. */
export type Unit = 'MB/s' | 'MB' | 'B' | 'ms' | 'files/s' | 'requests/s' | 'rows'

/** Which figure is held to the limit, and from which side. */
export interface Bound {
  of: 'median' | 'p95' | 'p99' | 'max' | 'ratio'
  side: 'at least' | 'at most'
  limit: number
}

export interface Row {
  name: string
  unit: Unit
  value: Figures
  /** What the value is compared with, measured in turns with it. */
  reference?: { name: string; figures: Figures }
  /** Absent where the figure is only told. */
  bound?: Bound | undefined
}

/** The value's median over the reference's. */
export const ratioOf = ({ value, reference }: Row): number | null =>
  reference === undefined ? null : value.median / reference.figures.median

/** Whether a row keeps its bound; null where it has none. */
export function keepsBound(row: Row): boolean | null {
  if (row.bound === undefined) return null
  const { of, side, limit } = row.bound
  const figure = of === 'ratio' ? (ratioOf(row) ?? Number.NaN) : row.value[of]
  // A figure that is not a number keeps no bound.
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

/** The figure that the bound holds, where the range does not show it. */
function describeTail({ bound, value, unit }: Row): string {
  return bound?.of === 'p95' || bound?.of === 'p99' ? `, ${bound.of} ${round(value[bound.of])} ${unit}` : ''
}

function verdictOf(row: Row): string {
  const kept = keepsBound(row)
  if (kept === null) return ''
  return kept ? 'ok' : 'MISS'
}

/** Lays the rows out for people; the ranges stand in brackets behind the medians. */
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
      ratioOf(row)?.toFixed(2) ?? '',
      bound === undefined ? '' : describeBound(bound, unit),
      verdictOf(row),
    ])
  }
  return table.toString()
}
