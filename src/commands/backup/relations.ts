/** Checks what the rows of a backup say together, part by part and without a database. */
import { adminRole } from '../../api/roles.ts'
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
  users: number[]
  /** The owners of personal spaces. */
  owners: number[]
  /** The role that has every permission; undefined if it is not among the rows. */
  admin: number | undefined
  /** The roles of permissions, once for each. */
  permitted: number[]
  /** By space; only for files and folders. */
  tops: ReadonlyMap<number, Top>
}

export const noRelations = (): Relations => ({
  ids: new Map(),
  lasting: [],
  teams: [],
  users: [],
  owners: [],
  admin: undefined,
  permitted: [],
  tops: new Map(),
})

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
  const numbers = (table: string, column: string, fits: (row: Row) => boolean = () => true): number[] =>
    name === table ? rows.filter(fits).map(row => Number(row[column])) : []
  return {
    ids: idsOf(form, rows),
    lasting: lasting === null ? [] : rows.map(row => String(row[lasting.column])),
    teams: numbers('spaces', 'id', ({ kind }) => kind === 'team'),
    users: numbers('users', 'id'),
    owners: numbers('spaces', 'owner_id', ({ kind }) => kind === 'personal'),
    admin: numbers('roles', 'id', role => role.name === adminRole)[0],
    permitted: numbers('role_permissions', 'role_id'),
    tops: name === 'files' ? topsOf(rows) : new Map(),
  }
}

const countOf = (numbers: readonly number[], wanted: number | undefined): number =>
  numbers.filter(number => number === wanted).length

/** Users need exactly one storage each, without which they cannot sign in. */
function tellStorages(users: readonly number[], owners: readonly number[]): string[] {
  const [once, twice] = [new Set<number>(), new Set<number>()]
  for (const owner of owners) (once.has(owner) ? twice : once).add(owner)
  return [
    ...users.filter(id => !once.has(id)).map(id => `users ${id}: there is no storage of this user`),
    ...users.filter(id => twice.has(id)).map(id => `users ${id}: there are several storages of this user`),
  ]
}

const isSound = (top: Top | undefined): boolean => top?.folders === 1 && top.others === 0

/** Collects what rows tell, and then compares it. Needs a bit for each id, and some bytes for each user and space. */
export function openRelationCheck(forms: TableForms) {
  const references = openReferenceCheck(forms)
  const found = new Map<string, Set<string>>()
  const all = noRelations()
  const tops = new Map<number, Top>()
  const tellMissing = ({ name, lasting }: TableForm): string[] =>
    (lasting?.values ?? [])
      .filter(value => found.get(name)?.has(value) !== true)
      .map(value => `table ${name}: the row '${value}' is missing`)
  const tellAdmin = (): string[] => {
    const missing = (forms.get('permissions')?.lasting?.values.length ?? 0) - countOf(all.permitted, all.admin)
    return all.admin !== undefined && missing > 0 ? [`roles ${all.admin}: it lacks ${missing} permissions`] : []
  }
  return {
    add(table: string, relations: Relations): void {
      references.add(table, relations.ids)
      const values = found.get(table) ?? new Set()
      for (const value of relations.lasting) values.add(value)
      found.set(table, values)
      for (const list of ['teams', 'users', 'owners', 'permitted'] as const) all[list].push(...relations[list])
      all.admin ??= relations.admin
      for (const [spaceId, top] of relations.tops) addTop(tops, spaceId, top)
    },
    /** One sentence for each problem. */
    find: (): string[] => [
      ...references.find(),
      ...[...forms.values()].flatMap(tellMissing),
      ...tellStorages(all.users, all.owners),
      ...tellAdmin(),
      ...all.teams
        .filter(id => !isSound(tops.get(id)))
        .map(id => `spaces ${id}: it is that of a team folder, and has not exactly one folder at its top`),
    ],
  }
}

export type RelationCheck = ReturnType<typeof openRelationCheck>
