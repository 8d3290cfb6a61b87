/** The parts of the used storage: one for each type of files, and the trash. */
import type { Profile } from '../../../src/api/auth.ts'
import type { FileKind } from '../../../src/api/kinds.ts'
import type { FileStats } from '../../../src/api/search.ts'
import { kindLooks } from '../../items/kinds.ts'
import { trashBytes } from '../../lib/data/stats.ts'

export interface Part {
  label: string
  color: string
  bytes: number
  /** Null when they are not counted. */
  files: number | null
  /** Null for the trash. */
  kind: FileKind | null
}

/** The types, largest first. The rest of the used storage is the trash. */
export function partsOf(user: Profile, stats: FileStats): Part[] {
  const parts = stats.by_kind.map(({ kind, files, bytes }) => ({
    label: kindLooks[kind].plural,
    color: `var(--fs-k-${kind})`,
    bytes,
    files,
    kind,
  }))
  const rest = trashBytes(user, stats)
  return rest === 0
    ? parts
    : [...parts, { label: 'Trash', color: 'var(--fs-control)', bytes: rest, files: null, kind: null }]
}
