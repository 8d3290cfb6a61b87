/** Uploads in several requests, as rows and over HTTP. */
import { randomBytes } from 'node:crypto'
import { newBlobKey } from '../../src/blobs/receive.ts'
import type { BuiltUser } from './factories.ts'
import { ownerOf } from './planting.ts'
import type { TestServer } from './test-server.ts'

interface PlantedUpload {
  id: string
  key: string
}

/** An unfinished upload of ten bytes, of which `received` are said to be there; it reserves nothing. */
export async function plantUpload(server: TestServer, user: BuiltUser, received = 0): Promise<PlantedUpload> {
  const { db } = server.deps
  const { userId, spaceId } = await ownerOf(server, user)
  const [id, key] = [randomBytes(16).toString('hex'), newBlobKey()]
  const row = {
    ...{
      id,
      user_id: userId,
      link_id: null,
      visit_hash: null,
      network: null,
      key_id: null,
      space_id: spaceId,
      header: null,
      length: 10,
      received,
      reserved: 0,
    },
    ...{ blob_key: key, state: 'open' as const, created_at: Date.now(), expires_at: Date.now() + 1e8 },
    target: JSON.stringify({ parent_id: null, name: 'planted.txt', is_explicit: false }),
  }
  await db.touch(() => db.insertAll(db.uploads, [row]))
  return { id, key }
}
