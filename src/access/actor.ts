/** Actors: a user over HTTP, by session or key, or the person at the server's own terminal. */
import type { KeyKind } from '../api/keys.ts'
import { type Permission, permissionKeys } from '../api/permissions.ts'
import type { WriteActor } from '../db/write.ts'
import type { KeyBudget, RequestLimits } from './key-budgets.ts'

/** The key that signs a request: the parts that limit what the request may do. */
interface ActingKey {
  readonly id: number
  readonly kind: KeyKind
  /** Null: no request budget. */
  readonly limits: RequestLimits | null
  /** ms, UTC; null: never. */
  readonly expiresAt: number | null
  /** The budgets that each request counts against: the key's own, and those of the keys that made it. */
  readonly budgets: readonly KeyBudget[]
  /** The length of the chain of keys that made it: 0 if a person made it. */
  readonly generation: number
}

/** The root of a caller's tree: that of their own space, or a folder that their key is for. */
interface Root {
  readonly spaceId: number
  /** Null: the root of the space. */
  readonly folderId: number | null
}

/** A user, or the person at the server's own terminal, who requests or changes something. */
export interface Principal {
  /** Null at the server's own terminal. */
  readonly userId: number | null
  readonly username: string
  /** Null if they have no tree of their own. */
  readonly root: Root | null
  /** For a session, its role's permissions; for a key, those that it shares with its owner's role. */
  readonly permissions: ReadonlySet<Permission>
  /** Null for a key. */
  readonly sessionId: number | null
  /** Null for a session. */
  readonly key: ActingKey | null
  readonly address: string | null
}

/** A caller over HTTP. */
export interface Actor extends Principal {
  readonly userId: number
  readonly root: Root
  readonly mustChangePassword: boolean
  readonly address: string
}

/** The person who runs `filestore admin`. They have direct access to the database, so they may do everything. */
export const terminalActor: Principal = {
  userId: null,
  username: 'terminal',
  root: null,
  permissions: new Set(permissionKeys),
  sessionId: null,
  key: null,
  address: null,
}

/** The same person working in one user's tree; events record the terminal's name with the user's id. */
export const terminalActorFor = (userId: number, spaceId: number): Actor => ({
  ...terminalActor,
  userId,
  root: { spaceId, folderId: null },
  mustChangePassword: false,
  address: 'localhost',
})

/** The actor in the form that the events table stores. */
export const writeActor = (actor: Principal): WriteActor => ({
  userId: actor.userId,
  name: actor.username,
  keyId: actor.key?.id ?? null,
  address: actor.address,
})
