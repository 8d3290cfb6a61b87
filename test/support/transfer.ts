/** Begins to transfer the files of a user, and stops in the middle. */
import { systemActor } from '../../src/db/write-actor.ts'
import { transferLease } from '../../src/files/abandoned-transfers.ts'
import { startTransfer } from '../../src/files/transfer.ts'
import type { BuiltUser } from './factories.ts'
import { ownerOf } from './planting.ts'
import type { TestServer } from './test-server.ts'

/**
 * Begins a transfer and leaves it after its first slice, like a server that is killed: until its lease expires, no job
 * goes on. Returns whether there is more.
 */
export async function breakOff(server: TestServer, from: BuiltUser, to: BuiltUser): Promise<boolean> {
  const [{ spaceId }, receiver] = [await ownerOf(server, from), await ownerOf(server, to)]
  const handover = { from: { userId: from.id, spaceId, username: from.username }, to: receiver }
  const { db, leases } = server.deps
  await leases.take(transferLease(spaceId))
  return db.write(systemActor, record => startTransfer(db, handover, record))
}
