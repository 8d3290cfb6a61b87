/** The people and groups that items are shared with, as people type and see them: `anna`, `@Teachers`. */
import type { Call } from '../src/api/client.ts'
import { findPeople, type Grantee } from '../src/api/shares.ts'
import { CommandError } from '../terminal/exit.ts'

/** Most names that an error suggests. */
const suggested = 5

/** Returns the name of a user, or of a group with `@` before it. */
export const granteeName = ({ kind, name }: Pick<Grantee, 'name'> & { kind: string }): string =>
  kind === 'group' ? `@${name}` : name

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** Whether a typed name means a user or group; case does not count. */
export const isCalled = (text: string, grantee: Pick<Grantee, 'name'> & { kind: string }): boolean =>
  keyOf(granteeName(grantee)) === keyOf(text)

/** Finds the user `anna` or the group `@Teachers`. Throws `notFound`, with names that are alike. */
export async function findGrantee(call: Call, text: string): Promise<Grantee> {
  const isGroup = text.startsWith('@')
  const { people, groups } = await call(findPeople, { q: text.slice(isGroup ? 1 : 0) })
  const found: Grantee[] = isGroup
    ? groups.map(({ id, name }) => ({ kind: 'group', id, name, full_name: null }))
    : people.map(({ id, username, full_name }) => ({ kind: 'user', id, name: username, full_name }))
  const grantee = found.find(one => isCalled(text, one))
  if (grantee !== undefined) return grantee
  const alike = found.slice(0, suggested).map(one => `'${granteeName(one)}'`)
  const hint = alike.length > 0 ? `: is it ${alike.join(', ')}?` : ''
  throw new CommandError('notFound', `There is no ${isGroup ? 'group' : 'user'} '${text}' to share with${hint}`)
}
