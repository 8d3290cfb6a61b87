/** Finds what a person at the terminal names: a user, a role, a field or a file. */
import type { Database } from '../../db/database.ts'
import type { MetadataFieldRow } from '../../db/models/metadata.ts'
import { AppError } from '../../errors.ts'
import { type DetailsRow, findByPath, findForReview } from '../../files/find.ts'
import { findFields } from '../../metadata/find.ts'
import { findRoleByName, type RoleDetailsRow } from '../../roles/find.ts'
import { findByUsername, findProfile, type ProfileRow } from '../../users/find.ts'

const idForm = /^id:([1-9]\d{0,14})$/

/** The id that a text such as `id:7` gives; undefined for a name. */
export function givenId(text: string): number | undefined {
  const [, digits] = idForm.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const missing = (noun: string, name: string): AppError => new AppError('not_found', `There is no ${noun} '${name}'`)

/** By username, or as `id:7`. Throws `not_found`. */
export async function findNamedUser(db: Database, text: string): Promise<ProfileRow> {
  const id = givenId(text)
  const user = await (id === undefined ? findByUsername(db, text) : findProfile(db, id))
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

/** A live file, as `id:42` or `user:/path`. Throws `not_found`, and `invalid_input` for what is neither form. */
export async function findNamedFile(db: Database, text: string): Promise<DetailsRow> {
  const orMissing = (error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? missing('file', text) : error
  }
  const id = givenId(text)
  if (id !== undefined) return findForReview(db, id).catch(orMissing)
  const colon = text.indexOf(':/')
  if (colon < 1) throw new AppError('invalid_input', `'${text}' is neither like id:42 nor like user:/path`)
  const { space_id } = await findNamedUser(db, text.slice(0, colon))
  const item = await findByPath(db, space_id, text.slice(colon + 1)).catch(orMissing)
  if (item.is_directory === 1) throw missing('file', text)
  return item
}
