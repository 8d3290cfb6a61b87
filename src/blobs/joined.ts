/** Two stores as one, while the files' bytes move from the old one to the new one. */
import { AppError, systemCode } from '../base/errors.ts'
import type { AsidePlace, BlobStore, StoreMark } from './blob-store.ts'

interface Pair {
  /** The new store: all that is written goes there. */
  to: BlobStore
  /** The old store, which only loses bytes. */
  from: BlobStore
}

/** Asks the new store, then the old one, and the new one once more: the bytes may move in between. */
async function askInTurn<Result>({ to, from }: Pair, ask: (store: BlobStore) => Promise<Result>): Promise<Result> {
  for (const store of [to, from]) {
    try {
      return await ask(store)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
    }
  }
  return ask(to)
}

const onBoth = async ({ to, from }: Pair, act: (store: BlobStore) => Promise<void>): Promise<void> => {
  await act(from)
  await act(to)
}

/** The old store first: what moves meanwhile is in the new one before it is gone from the old one. */
async function* listBoth<Item>(
  { to, from }: Pair,
  list: (store: BlobStore) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  yield* list(from)
  yield* list(to)
}

const joinAsides = (pair: Pair): AsidePlace => ({
  take: (key, name) => onBoth(pair, store => store.aside.take(key, name)),
  giveBack: (name, key) => askInTurn(pair, store => store.aside.giveBack(name, key)),
  read: name => askInTurn(pair, store => store.aside.read(name)),
  list: () => listBoth(pair, store => store.aside.list()),
  remove: name => onBoth(pair, store => store.aside.remove(name)),
})

/** Throws `in_use` if the new store's mark is neither the old one's nor of the database with the id `own`. */
function refuseOtherDatabase({ to, from }: Pair, mark: StoreMark | null, old: StoreMark | null, own?: number): void {
  if (mark === null || mark.id === (old?.id ?? own)) return
  throw new AppError('in_use', `${to.name} is the store of another database than ${from.name}: give an empty one`)
}

/**
 * Joins a new store with the old one whose bytes move there (commands/storage/move.ts). Reads find the bytes in either,
 * writes go to the new one, and what is removed is removed from both. A key that moves during `list` may be listed twice.
 * Rejects with `in_use` when the new store belongs to another database. `own` is the id of the database: a server marks
 * one store after the other, so the new one may have its mark before the old one.
 */
export async function joinStores(to: BlobStore, from: BlobStore, own?: number): Promise<BlobStore> {
  const pair = { to, from }
  refuseOtherDatabase(pair, await to.readMark(), await from.readMark(), own)
  return {
    name: to.name,
    timeToOpen: Math.max(to.timeToOpen, from.timeToOpen),
    put: to.put,
    // What was begun in the old store stays there until it is sealed; the move then brings it over.
    append: (key, offset, source, options) =>
      offset === 0
        ? to.append(key, offset, source, options)
        : askInTurn(pair, store => store.append(key, offset, source, options)),
    seal: (key, appended) => askInTurn(pair, store => store.seal(key, appended)),
    drop: (key, state) => onBoth(pair, store => store.drop(key, state)),
    read: (key, range, options) => askInTurn(pair, store => store.read(key, range, options)),
    size: async key => (await to.size(key)) ?? (await from.size(key)) ?? to.size(key),
    // What is still in the old store is sent from there.
    redirect: to.redirect,
    rejuvenate: key => onBoth(pair, store => store.rejuvenate(key)),
    replace: async (key, by) => {
      await to.replace(key, by)
      await from.remove(key)
    },
    remove: key => onBoth(pair, store => store.remove(key)),
    list: () => listBoth(pair, store => store.list()),
    removeUnfinished: (before, isNamed) => onBoth(pair, store => store.removeUnfinished(before, isNamed)),
    check: () => onBoth(pair, store => store.check()),
    readMark: async () => (await from.readMark()) ?? to.readMark(),
    saveMark: mark => onBoth(pair, store => store.saveMark(mark)),
    aside: joinAsides(pair),
    local: to.local,
  }
}
