/** Finds the user, role, field, group, team folder or file that a person at the terminal names. */

import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import type { MetadataFieldRow } from '../../db/models/metadata.ts'
import { userKey } from '../../db/user-key.ts'
import { findAtPath, findForReview } from '../../files/find.ts'
import type { DetailsRow } from '../../files/item-row.ts'
import { type CountedGroupRow, findGroups } from '../../groups/find.ts'
import { findFields } from '../../metadata/find.ts'
import { findRoleByName, type RoleDetailsRow } from '../../roles/find.ts'
import { findTeams, type TeamRow } from '../../spaces/find.ts'
import { findByUsername, findProfile, type ProfileRow } from '../../users/find.ts'

const idForm = /^id:([1-9]\d{0,14})$/

/** Returns the id from a text such as `id:7`, or undefined for a name. */
export function givenId(text: string): number | undefined {
  const [, digits] = idForm.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const missing = (noun: string, name: string): AppError => new AppError('not_found', `There is no ${noun} '${name}'`)

const ambiguous = (text: string, advice: string): AppError =>
  new AppError('invalid_input', `'${text}' may mean more than one: ${advice}`)

/**
 * Finds a user by username or as `id:7`. A username may itself look like `id:7`: throws `invalid_input` if the text
 * matches two users. Returns undefined if it matches none.
 */
async function lookUpUser(db: Database, text: string): Promise<ProfileRow | undefined> {
  const id = givenId(text)
  const named = await findByUsername(db, text)
  if (id === undefined) return named
  const numbered = await findProfile(db, id)
  if (named === undefined || numbered === undefined || named.id === numbered.id) return named ?? numbered
  throw ambiguous(text, `the user of that name is id:${named.id}, the one of that id is called '${numbered.username}'`)
}

/** Finds a user by username or as `id:7`. Throws `not_found`, and `invalid_input` if the text matches two users. */
export async function findNamedUser(db: Database, text: string): Promise<ProfileRow> {
  const user = await lookUpUser(db, text)
  if (user === undefined) throw missing('user', text)
  return user
}

/** Throws `not_found`. */
export async function findNamedRole(db: Database, name: string): Promise<RoleDetailsRow> {
  const role = await findRoleByName(db, name)
  if (role === undefined) throw missing('role', name)
  return role
}

/** Throws `not_found`. */
export async function findNamedField(db: Database, name: string): Promise<MetadataFieldRow> {
  const field = (await findFields(db)).find(candidate => candidate.name === name)
  if (field === undefined) throw missing('metadata field', name)
  return field
}

/** The ids of users who are named. Throws `not_found`. */
export async function findNamedUserIds(db: Database, users: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const user of users) ids.push((await findNamedUser(db, user)).id)
  return ids
}

/** Finds a group by name, as names are compared, or as `id:7`. Throws `not_found`, and `invalid_input` for a tie. */
export async function findNamedGroup(db: Database, text: string): Promise<CountedGroupRow> {
  const id = givenId(text)
  const groups = await findGroups(db)
  const found = groups.filter(group => group.id === id || userKey(group.name) === userKey(text))
  const [group, other] = found
  if (group === undefined) throw missing('group', text)
  if (other !== undefined) throw ambiguous(text, `say ${found.map(each => `id:${each.id}`).join(' or ')}`)
  return group
}

/** Finds a team folder by name, or as `id:7` by the id of its space. Several may have the same name. Throws as above. */
export async function findNamedTeam(db: Database, text: string): Promise<TeamRow> {
  const id = givenId(text)
  const name = text.normalize('NFC')
  const found = (await findTeams(db)).filter(team => team.id === id || team.name === name)
  const [team, other] = found
  if (team === undefined) throw missing('team folder', text)
  if (other !== undefined) throw ambiguous(text, `say ${found.map(each => `id:${each.id}`).join(' or ')}`)
  return team
}

/** Returns every way to split `user:/path`, because usernames and paths may both contain `:/`. */
const splitPath = (text: string): { username: string; path: string }[] =>
  [...text.matchAll(/:(?=\/)/g)]
    .filter(({ index }) => index > 0)
    .map(({ index }) => ({ username: text.slice(0, index), path: text.slice(index + 1) }))

const isMissing = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found'

/** Returns undefined if there is no such file. */
async function lookUpFile(db: Database, spaceId: number, path: string): Promise<DetailsRow | undefined> {
  const item = await findAtPath(db, spaceId, null, path)
  return item?.is_directory === 0 ? item : undefined
}

/**
 * Finds a live file, named as `id:42` or `user:/path`. Throws `not_found`, and `invalid_input` if the text has neither
 * form or may mean several files.
 */
export async function findNamedFile(db: Database, text: string): Promise<DetailsRow> {
  const id = givenId(text)
  if (id !== undefined) {
    return findForReview(db, id).catch(error => {
      throw isMissing(error) ? missing('file', text) : error
    })
  }
  const readings = splitPath(text)
  const [first] = readings
  if (first === undefined) throw new AppError('invalid_input', `'${text}' is neither like id:42 nor like user:/path`)
  const found: DetailsRow[] = []
  let owners = 0
  for (const { username, path } of readings) {
    const owner = await lookUpUser(db, username)
    const file = owner === undefined ? undefined : await lookUpFile(db, owner.space_id, path)
    if (owner !== undefined) owners += 1
    if (file !== undefined) found.push(file)
  }
  const [file, other] = found
  if (other !== undefined) throw ambiguous(text, `say ${found.map(row => `id:${row.id}`).join(' or ')}`)
  if (file !== undefined) return file
  throw owners === 0 ? missing('user', first.username) : missing('file', text)
}
