/** Rows that compare each server with the bare one and with filestore. */
import { summarize } from '../measure.ts'
import type { Row, Unit } from '../table.ts'
import { bareName } from './bare.ts'
import type { Contestant } from './contestant.ts'

interface Subject {
  contestant: Contestant
  /** One of several ways that the contestant has; empty for the only one. */
  way?: string
  samples: readonly number[]
}

/** The end of a row's name, which says of uploads whether they wait for the disk. */
function labelOf({ contestant: { name, syncs }, way = '' }: Subject, isUpload: boolean): string {
  const label = way === '' ? name : `${name}, ${way}`
  return isUpload ? `${label} (${syncs ? 'fsync' : 'no fsync'})` : label
}

/** Makes the rows of one figure. filestore comes first among the subjects. */
export function rowsOf(
  figure: string,
  unit: Unit,
  subjects: readonly Subject[],
  { isUpload = false }: { isUpload?: boolean } = {},
): Row[] {
  const bare = subjects.find(({ contestant }) => contestant.name === bareName)
  const reference = bare && { name: bareName, figures: summarize(bare.samples) }
  const [own] = subjects.map(({ samples }) => summarize(samples))
  return subjects.map((subject, index) => ({
    name: `${figure}: ${labelOf(subject, isUpload)}`,
    unit,
    value: summarize(subject.samples),
    reference: subject === bare ? undefined : reference,
    own: index === 0 ? undefined : own,
  }))
}
