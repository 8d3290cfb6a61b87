/** Adds many items to a test's account at once, without HTTP. */
import { plantEntries, plantTree } from '../bench/plant.ts'
import type { BuiltUser } from './factories.ts'
import type { TestServer } from './test-server.ts'

async function findOwner({ deps: { db } }: TestServer, { id }: BuiltUser) {
  const space = await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [id])
  if (space === undefined) throw new Error('the user has no space')
  return { userId: id, spaceId: space.id }
}

/** Fills a folder with this many small items, a tenth of them empty folders. */
export async function plantFiles(server: TestServer, user: BuiltUser, folderId: number, count: number): Promise<void> {
  const owner = await findOwner(server, user)
  const { db } = server.deps
  await db.touch(() => plantEntries(db, owner, folderId, count))
}

/** Adds a folder in the root with this many items below it, in folders of a thousand; returns its id. */
export async function plantFolders(server: TestServer, user: BuiltUser, name: string, count: number): Promise<number> {
  const owner = await findOwner(server, user)
  const { db } = server.deps
  return db.touch(() => plantTree(db, owner, name, count))
}
