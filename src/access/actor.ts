/** Who calls: a user with what this call may do, by session or by key. */
import type { KeyKind } from '../api/keys.ts'
import type { Permission } from '../api/permissions.ts'
import type { WriteActor } from '../db/write.ts'
import type { RequestLimits } from './key-budgets.ts'

/** The key that signs a request, as far as it bounds what the request may do. */
interface ActingKey {
  readonly id: number
  readonly kind: KeyKind
  /** Null: no request budget. */
  readonly limits: RequestLimits | null
  /** ms, UTC; null: never. */
  readonly expiresAt: number | null
}

export interface Actor {
  readonly userId: number
  readonly username: string
  /** The user's personal space. */
  readonly spaceId: number
  /** A session's: its role's permissions. A key's: those it shares with its owner's role. */
  readonly permissions: ReadonlySet<Permission>
  readonly mustChangePassword: boolean
  /** Null for a key. */
  readonly sessionId: number | null
  /** Null for a session. */
  readonly key: ActingKey | null
  readonly address: string
}

/** The actor as the events table keeps it. */
export const writeActor = (actor: Actor): WriteActor => ({
  userId: actor.userId,
  name: actor.username,
  keyId: actor.key?.id ?? null,
  address: actor.address,
})
