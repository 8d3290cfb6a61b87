/** Who acts: a user over HTTP, by session or by key, or whoever works at the server's own terminal. */
import type { KeyKind } from '../api/keys.ts'
import { type Permission, permissionKeys } from '../api/permissions.ts'
import type { WriteActor } from '../db/write.ts'
import type { KeyBudget, RequestLimits } from './key-budgets.ts'

/** The key that signs a request, as far as it bounds what the request may do. */
interface ActingKey {
  readonly id: number
  readonly kind: KeyKind
  /** Null: no request budget. */
  readonly limits: RequestLimits | null
  /** ms, UTC; null: never. */
  readonly expiresAt: number | null
  /** What each request counts for: the key's own budget and those of the keys that made it. */
  readonly budgets: readonly KeyBudget[]
  /** How many keys made one the next until it was there: 0 for one that a person made. */
  readonly generation: number
}

/** Where the tree of a caller begins: the root of their own space. */
interface Root {
  readonly spaceId: number
}

/** Whoever makes a change or asks for something: a user, or somebody at the server's own terminal. */
export interface Principal {
  /** Null at the server's own terminal. */
  readonly userId: number | null
  readonly username: string
  /** Null where they have no tree of their own. */
  readonly root: Root | null
  /** A session's: its role's permissions. A key's: those it shares with its owner's role. */
  readonly permissions: ReadonlySet<Permission>
  /** Null for a key. */
  readonly sessionId: number | null
  /** Null for a session. */
  readonly key: ActingKey | null
  readonly address: string | null
}

/** Who calls over HTTP. */
export interface Actor extends Principal {
  readonly userId: number
  readonly root: Root
  readonly mustChangePassword: boolean
  readonly address: string
}

/** Whoever runs `filestore admin`: they have the database in their hands, so they may do all. */
export const terminalActor: Principal = {
  userId: null,
  username: 'terminal',
  root: null,
  permissions: new Set(permissionKeys),
  sessionId: null,
  key: null,
  address: null,
}

/** The same person at work in one user's tree; the events tell the terminal's name with the user's id. */
export const terminalActorFor = (userId: number, spaceId: number): Actor => ({
  ...terminalActor,
  userId,
  root: { spaceId },
  mustChangePassword: false,
  address: 'localhost',
})

/** The actor as the events table keeps it. */
export const writeActor = (actor: Principal): WriteActor => ({
  userId: actor.userId,
  name: actor.username,
  keyId: actor.key?.id ?? null,
  address: actor.address,
})
