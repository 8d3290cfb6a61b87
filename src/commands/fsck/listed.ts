/** Finds many sizes by few requests: a remote store lists a thousand objects in the time in which it tells one size. */
import { type IdSet, openIdSet } from '../../base/id-set.ts'
import type { StoredKey } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { findNamed } from '../../files/named-keys.ts'

/** Keys per lookup. */
const batchSize = 500

/** The ids of contents or thumbnails whose bytes the store lists with the size of their row, each time it lists them. */
type ListedIds = Pick<IdSet, 'has'>

/**
 * While bytes move between two stores, both may list a key, and readers take those of the new one. So an id of which one
 * listing has another size is left out: its size must be asked for.
 */
function openListedIds() {
  const [right, wrong] = [openIdSet(), openIdSet()]
  return {
    add: (id: number, isRight: boolean) => (isRight ? right : wrong).add(id),
    has: (id: number) => right.has(id) && !wrong.has(id),
  }
}

export interface Listed {
  contents: ListedIds
  thumbnails: ListedIds
}

/** Lists a remote store once; of a local one, whose sizes cost nothing, the sets are empty. */
export async function findListed({ db, store }: Deps, signal: AbortSignal): Promise<Listed> {
  const listed = { contents: openListedIds(), thumbnails: openListedIds() }
  if (store.local !== null) return listed
  let batch: StoredKey[] = []
  const look = async () => {
    signal.throwIfAborted()
    const named = await findNamed(
      db,
      batch.map(({ key }) => key),
    )
    for (const { key, size } of batch) {
      const row = named.get(key)
      if (row === undefined) continue
      const ids = row.sha256 === null ? listed.thumbnails : listed.contents
      ids.add(row.id, row.size === size)
    }
    batch = []
  }
  for await (const entry of store.list()) {
    batch.push(entry)
    if (batch.length >= batchSize) await look()
  }
  await look()
  return listed
}
