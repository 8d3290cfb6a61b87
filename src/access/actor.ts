/** Actors: a user over HTTP, by session or key, a visitor by a link, or the person at the server's own terminal. */
import type { KeyKind } from '../api/keys.ts'
import type { LinkLevel } from '../api/link-levels.ts'
import { type Permission, permissionKeys } from '../api/permissions.ts'
import type { WriteActor } from '../db/write-actor.ts'
import type { KeyBudget, RequestLimits } from './key-budgets.ts'
import { networkOf } from './network.ts'

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

/** The link by which a visitor comes. */
export interface ActingLink {
  readonly id: number
  /** What it is on. */
  readonly itemId: number
  readonly level: LinkLevel
  /** The user who answers for it, and who owns what comes through it. */
  readonly madeBy: number
  /** Null: none. A new password ends what was begun with the old one. */
  readonly passwordHash: string | null
}

/** The root of a caller's tree: that of their own space, or what their key or link is for. */
interface Root {
  readonly spaceId: number
  /** Null: the root of the space. */
  readonly folderId: number | null
}

/** A user, a visitor, or the person at the server's own terminal, who requests or changes something. */
export interface Principal {
  /** Null for a visitor, and at the server's own terminal. */
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
  /** Null unless a visitor. */
  readonly link: ActingLink | null
  readonly address: string | null
}

/** A user over HTTP. */
export interface Actor extends Principal {
  readonly userId: number
  readonly link: null
  readonly root: Root
  readonly mustChangePassword: boolean
  readonly address: string
}

/** Somebody without an account, over HTTP, by a link that works. */
export interface Visitor extends Principal {
  readonly userId: null
  readonly sessionId: null
  readonly key: null
  readonly link: ActingLink
  readonly root: Root
  readonly address: string
  /** The hash of the secret in the browser's cookie for the link; null without one. */
  readonly visitHash: string | null
}

/** Whoever calls over HTTP. */
export type Caller = Actor | Visitor

/** The name under which limits count a caller: that of a user, or of a link for all its visitors together. */
export const accountOf = ({ userId, link }: Caller): string => (link === null ? String(userId) : `link ${link.id}`)

/** The network of a visitor, of those that share what a link has; null for a user, who has what is their own. */
export const sharingNetwork = ({ link, address }: Caller): string | null => (link === null ? null : networkOf(address))

/** The id that rows compare with a viewer's: 0, which no user has, for a visitor. */
export const viewerId = ({ userId }: Pick<Principal, 'userId'>): number => userId ?? 0

/** Who owns what a caller adds: the user, or who answers for the link. */
export const adderId = (caller: Caller): number => (caller.link === null ? caller.userId : caller.link.madeBy)

/** The person who runs `filestore admin`. They have direct access to the database, so they may do everything. */
export const terminalActor: Principal = {
  userId: null,
  username: 'terminal',
  root: null,
  permissions: new Set(permissionKeys),
  sessionId: null,
  key: null,
  link: null,
  address: null,
}

/** The same person working in one user's tree; events record the terminal's name with the user's id. */
export const terminalActorFor = (userId: number, spaceId: number): Actor => ({
  ...terminalActor,
  userId,
  root: { spaceId, folderId: null },
  link: null,
  mustChangePassword: false,
  address: 'localhost',
})

/** The actor in the form that the events table stores. */
export const writeActor = (actor: Principal): WriteActor => ({
  userId: actor.userId,
  name: actor.username,
  keyId: actor.key?.id ?? null,
  ...(actor.link === null ? {} : { linkId: actor.link.id, visitedSpaceId: actor.root?.spaceId }),
  address: actor.address,
})
