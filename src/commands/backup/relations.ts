/** Checks what the rows of a backup say together, part by part and without a database. */
import type { TableForm, TableForms } from '../../db/table-forms.ts'
import type { Row } from '../../db/tables.ts'
import { idsOf, type MentionedIds, openReferenceCheck } from './references.ts'

/** The items at the top of a space: folders, and anything else. */
interface Top {
  folders: number
  others: number
}

/** What some rows of a table tell about others. */
export interface Relations {
  ids: MentionedIds
  /** The values by which rows are known that nobody can delete. */
  lasting: string[]
  /** Spaces of team folders. */
  teams: number[]
  /** By space; only for files and folders. */
  tops: ReadonlyMap<number, Top>
}

export const noRelations = (): Relations => ({ ids: new Map(), lasting: [], teams: [], tops: new Map() })

function addTop(tops: Map<number, Top>, spaceId: number, { folders, others }: Top): void {
  const top = tops.get(spaceId) ?? { folders: 0, others: 0 }
  tops.set(spaceId, { folders: top.folders + folders, others: top.others + others })
}

function topsOf(rows: readonly Row[]): ReadonlyMap<number, Top> {
  const tops = new Map<number, Top>()
  for (const { parent_id, deleted_at, space_id, is_directory } of rows) {
    if (parent_id !== null || deleted_at !== null) continue
    addTop(tops, Number(space_id), is_directory === 1 ? { folders: 1, others: 0 } : { folders: 0, others: 1 })
  }
  return tops
}

export function relationsOf(form: TableForm, rows: readonly Row[]): Relations {
  const { name, lasting } = form
  return {
    ids: idsOf(form, rows),
    lasting: lasting === null ? [] : rows.map(row => String(row[lasting.column])),
    teams: name === 'spaces' ? rows.flatMap(({ id, kind }) => (kind === 'team' ? [Number(id)] : [])) : [],
    tops: name === 'files' ? topsOf(rows) : new Map(),
  }
}

const isSound = (top: Top | undefined): boolean => top?.folders === 1 && top.others === 0

/** Collects what rows tell, and then compares it. Needs a bit for each id, and some bytes for each space. */
export function openRelationCheck(forms: TableForms) {
  const references = openReferenceCheck(forms)
  const found = new Map<string, Set<string>>()
  const teams: number[] = []
  const tops = new Map<number, Top>()
  const tellMissing = ({ name, lasting }: TableForm): string[] =>
    (lasting?.values ?? [])
      .filter(value => found.get(name)?.has(value) !== true)
      .map(value => `table ${name}: the row '${value}' is missing`)
  return {
    add(table: string, relations: Relations): void {
      references.add(table, relations.ids)
      const values = found.get(table) ?? new Set()
      for (const value of relations.lasting) values.add(value)
      found.set(table, values)
      teams.push(...relations.teams)
      for (const [spaceId, top] of relations.tops) addTop(tops, spaceId, top)
    },
    /** One sentence for each problem. */
    find: (): string[] => [
      ...references.find(),
      ...[...forms.values()].flatMap(tellMissing),
      ...teams
        .filter(id => !isSound(tops.get(id)))
        .map(id => `spaces ${id}: it is that of a team folder, and has not exactly one folder at its top`),
    ],
  }
}

export type RelationCheck = ReturnType<typeof openRelationCheck>
