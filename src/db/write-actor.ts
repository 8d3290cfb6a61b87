/** Who makes a change, and whose turn its write takes. */
import { withinTurn } from '../base/turns.ts'

/** The user or job that makes a change, as the events table stores it. */
export interface WriteActor {
  userId: number | null
  /** The name at the time of the change. */
  name: string
  keyId: number | null
  /** The link by which a visitor came; absent for everybody else. */
  linkId?: number
  /** The storage of what that link is on. */
  visitedSpaceId?: number
  address: string | null
}

/** The server's own jobs. */
export const systemActor: WriteActor = { userId: null, name: 'system', keyId: null, address: null }

/** The turn of all visitors, within which those of each storage have theirs. */
export const turnOfVisitors = (spaceId: number): string => `visitors${withinTurn}${spaceId}`

/** Whose turn a write takes: a user's with all their keys, all visitors', or the server's. */
export function turnOf({ userId, visitedSpaceId: visited }: Pick<WriteActor, 'userId' | 'visitedSpaceId'>): string {
  if (userId !== null) return `user ${userId}`
  return visited === undefined ? 'server' : turnOfVisitors(visited)
}

/** The turn of the server's own writes that lock spaces. */
export const serverTurn = turnOf(systemActor)

/** The turn of short writes that lock no space, so that those which wait for one do not keep them waiting. */
export const housekeeping = 'housekeeping'
