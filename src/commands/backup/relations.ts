/** Checks what the rows of a backup say together, part by part and without a database. */

import { adminRole } from '../../api/roles.ts'
import { openIdSet } from '../../base/id-set.ts'
import type { TableForm, TableForms } from '../../db/table-forms.ts'
import type { Row } from '../../db/tables.ts'
import {
  type FolderSpaces,
  folderSpacesOf,
  type KeyScope,
  noFolders,
  openScopeCheck,
  scopesOf,
} from '../fsck/key-scopes.ts'
import { impossibleLink, linkOnTeamFolder } from '../fsck/links.ts'
import { impossibleLevel, membersOfEveryone } from '../fsck/shares.ts'
import { lacksSkeleton } from '../fsck/skeletons.ts'
import { type HeldBySpace, heldBy, openCounterCheck, toldBy } from './counters.ts'
import { idsOf, type MentionedIds, openReferenceCheck } from './references.ts'
import { openSizeCheck, type ToldSizes, toldSizesOf } from './sizes.ts'

/** The items at the top of a space: folders, and anything else. */
interface Top {
  folders: number
  others: number
  /** One of the folders; 0 for none. */
  folderId: number
}

/** A share with a level that few items can have. */
interface RareShare {
  id: number
  space_id: number
  item_id: number
  level: 'manage' | 'upload'
}

/** What decides whether a link can be on its item. */
interface PlacedLink {
  id: number
  space_id: number
  item_id: number
  adds: boolean
}

/** What some rows of a table tell about others. */
export interface Relations {
  ids: MentionedIds
  /** The values by which rows are known that nobody can delete. */
  lasting: string[]
  /** Spaces of team folders. */
  teams: number[]
  users: number[]
  /** Users without the form by which look-alike names are found, and those with it. */
  withoutSkeleton: number[]
  withSkeleton: number
  /** The owners of personal spaces. */
  owners: number[]
  /** The role that has every permission; undefined if it is not among the rows. */
  admin: number | undefined
  /** The roles of permissions, once for each. */
  permitted: number[]
  /** By space; only for files and folders. */
  tops: ReadonlyMap<number, Top>
  rareShares: RareShare[]
  links: PlacedLink[]
  /** The ids of files, without folders. */
  files: number[]
  /** Groups of all users, and groups of which there are rows of members. */
  everyone: number[]
  groupsWithRows: number[]
  scopes: KeyScope[]
  folderSpaces: FolderSpaces
  sizes: ToldSizes
  held: HeldBySpace
  counters: HeldBySpace
}

export const noRelations = (): Relations => ({
  ids: new Map(),
  lasting: [],
  teams: [],
  users: [],
  withoutSkeleton: [],
  withSkeleton: 0,
  owners: [],
  admin: undefined,
  permitted: [],
  tops: new Map(),
  rareShares: [],
  links: [],
  files: [],
  everyone: [],
  groupsWithRows: [],
  scopes: [],
  folderSpaces: noFolders(),
  sizes: toldSizesOf('', []),
  held: new Map(),
  counters: new Map(),
})

function addTop(tops: Map<number, Top>, spaceId: number, { folders, others, folderId }: Top): void {
  const top = tops.get(spaceId) ?? { folders: 0, others: 0, folderId: 0 }
  const known = { folders: top.folders + folders, others: top.others + others }
  tops.set(spaceId, { ...known, folderId: top.folderId || folderId })
}

function topsOf(rows: readonly Row[]): ReadonlyMap<number, Top> {
  const tops = new Map<number, Top>()
  for (const { id, parent_id, deleted_at, space_id, is_directory } of rows) {
    if (parent_id !== null || deleted_at !== null) continue
    const folder = { folders: 1, others: 0, folderId: Number(id) }
    addTop(tops, Number(space_id), is_directory === 1 ? folder : { folders: 0, others: 1, folderId: 0 })
  }
  return tops
}

const rareSharesOf = (rows: readonly Row[]): RareShare[] =>
  rows.flatMap(({ id, space_id, item_id, level }) =>
    level === 'manage' || level === 'upload'
      ? [{ id: Number(id), space_id: Number(space_id), item_id: Number(item_id), level }]
      : [],
  )

const placedLinksOf = (rows: readonly Row[]): PlacedLink[] =>
  rows.map(({ id, space_id, item_id, level }) => ({
    ...{ id: Number(id), space_id: Number(space_id), item_id: Number(item_id) },
    adds: level === 'upload' || level === 'both',
  }))

export function relationsOf(form: TableForm, rows: readonly Row[]): Relations {
  const { name, lasting } = form
  const numbers = (table: string, column: string, fits: (row: Row) => boolean = () => true): number[] =>
    name === table ? rows.filter(fits).map(row => Number(row[column])) : []
  return {
    ids: idsOf(form, rows),
    lasting: lasting === null ? [] : lasting.values.filter(value => rows.some(row => row[lasting.column] === value)),
    teams: numbers('spaces', 'id', ({ kind }) => kind === 'team'),
    users: numbers('users', 'id'),
    withoutSkeleton: numbers('users', 'id', ({ username_skeleton }) => username_skeleton === null),
    withSkeleton: numbers('users', 'id', ({ username_skeleton }) => (username_skeleton ?? null) !== null).length,
    owners: numbers('spaces', 'owner_id', ({ kind }) => kind === 'personal'),
    admin: numbers('roles', 'id', role => role.name === adminRole)[0],
    permitted: numbers('role_permissions', 'role_id'),
    tops: name === 'files' ? topsOf(rows) : new Map(),
    rareShares: name === 'shares' ? rareSharesOf(rows) : [],
    links: name === 'links' ? placedLinksOf(rows) : [],
    files: numbers('files', 'id', ({ is_directory }) => is_directory === 0),
    everyone: numbers('user_groups', 'id', ({ kind, name_key }) => kind === 'everyone' && name_key === 'everyone'),
    groupsWithRows: [...new Set(numbers('group_members', 'group_id'))],
    scopes: name === 'api_keys' ? scopesOf(rows) : [],
    folderSpaces: name === 'files' ? folderSpacesOf(rows) : noFolders(),
    sizes: toldSizesOf(name, rows),
    held: heldBy(name, rows),
    counters: toldBy(name, rows),
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

/**
 * Collects what rows tell, and then compares it. Needs a bit for each id, eight bytes for each content, and some for each
 * user and space.
 */
export function openRelationCheck(forms: TableForms) {
  const references = openReferenceCheck(forms)
  const found = new Map<string, Set<string>>()
  const all = noRelations()
  const tops = new Map<number, Top>()
  const files = openIdSet()
  const scopes = openScopeCheck(files.has)
  const sizes = openSizeCheck()
  const counters = openCounterCheck()
  const groupsWithRows = new Set<number>()
  const isTeamFolder = ({ space_id, item_id }: RareShare): boolean => {
    const top = tops.get(space_id)
    // Which is the team folder cannot be told where there are several, or none.
    return all.teams.includes(space_id) && (!isSound(top) || top?.folderId === item_id)
  }
  const isImpossible = (share: RareShare): boolean =>
    share.level === 'manage' ? !isTeamFolder(share) : files.has(share.item_id)
  const tellLink = ({ id, space_id, item_id, adds }: PlacedLink): string[] => [
    ...(adds && files.has(item_id) ? [`links ${id}: ${impossibleLink}`] : []),
    ...(all.teams.includes(space_id) && isSound(tops.get(space_id)) && tops.get(space_id)?.folderId === item_id
      ? [`links ${id}: ${linkOnTeamFolder}`]
      : []),
  ]
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
      for (const list of ['teams', 'users', 'withoutSkeleton', 'owners', 'permitted', 'everyone'] as const)
        all[list].push(...relations[list])
      all.withSkeleton += relations.withSkeleton
      all.rareShares.push(...relations.rareShares)
      all.links.push(...relations.links)
      for (const id of relations.files) if (Number.isSafeInteger(id) && id >= 0) files.add(id)
      for (const id of relations.groupsWithRows) groupsWithRows.add(id)
      scopes.add(relations.scopes, relations.folderSpaces)
      sizes.add(relations.sizes)
      counters.add(relations.held, relations.counters)
      all.admin ??= relations.admin
      for (const [spaceId, top] of relations.tops) addTop(tops, spaceId, top)
    },
    /** One sentence for each problem. */
    find: (): string[] => [
      ...references.find(),
      ...[...forms.values()].flatMap(tellMissing),
      ...tellStorages(all.users, all.owners),
      ...(all.withSkeleton > 0 ? all.withoutSkeleton : []).map(id => `users ${id}: ${lacksSkeleton}`),
      ...tellAdmin(),
      ...all.teams
        .filter(id => !isSound(tops.get(id)))
        .map(id => `spaces ${id}: it is that of a team folder, and has not exactly one folder at its top`),
      ...all.rareShares.filter(isImpossible).map(({ id }) => `shares ${id}: ${impossibleLevel}`),
      ...all.links.flatMap(tellLink),
      ...all.everyone.filter(id => groupsWithRows.has(id)).map(id => `user_groups ${id}: ${membersOfEveryone}`),
      ...scopes.find(),
      ...sizes.find(),
      ...counters.find(),
    ],
  }
}

export type RelationCheck = ReturnType<typeof openRelationCheck>
