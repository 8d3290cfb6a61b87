/** Who calls: a user with what this call may do, by session or by key. */
import type { KeyKind } from '../api/keys.ts'
import type { Permission } from '../api/permissions.ts'
import type { WriteActor } from '../db/write.ts'

export interface Actor {
  readonly userId: number
  readonly username: string
  /** The user's personal space. */
  readonly spaceId: number
  /** A session's: its role's permissions. A key's: those it shares with its owner's role. */
  readonly permissions: ReadonlySet<Permission>
  readonly mustChangePassword: boolean
  /** Null for a session. */
  readonly key: { id: number; kind: KeyKind } | null
  readonly address: string
}

/** The actor as the events table keeps it. */
export const writeActor = (actor: Actor): WriteActor => ({
  userId: actor.userId,
  name: actor.username,
  keyId: actor.key?.id ?? null,
  address: actor.address,
})
