/** Who makes a change, and whose turn its write takes. */

/** The user or job that makes a change, as the events table stores it. */
export interface WriteActor {
  userId: number | null
  /** The name at the time of the change. */
  name: string
  keyId: number | null
  /** The link by which a visitor came; absent for everybody else. */
  linkId?: number
  address: string | null
}

/** The server's own jobs. */
export const systemActor: WriteActor = { userId: null, name: 'system', keyId: null, address: null }

/** Whose turn a write takes: a user's with all their keys, all visitors', or the server's. */
export const turnOf = ({ userId, linkId }: Pick<WriteActor, 'userId' | 'linkId'>): string =>
  userId === null ? (linkId === undefined ? 'server' : 'visitors') : `user ${userId}`

/** The turn of the server's own writes that lock spaces. */
export const serverTurn = turnOf(systemActor)

/** The turn of short writes that lock no space, so that those which wait for one do not keep them waiting. */
export const housekeeping = 'housekeeping'
