/** Makes the server take a user's space for one of a million items. */
import type { TestServer } from './server.ts'

/** A small space is read row by row, a large one by its indexes; what they answer is the same. */
export async function pretendLargeSpace({ deps: { db } }: TestServer, userId: number): Promise<void> {
  await db.touch(() => db.change('UPDATE spaces SET item_count = 1000000 WHERE owner_id = $1', [userId]))
}
