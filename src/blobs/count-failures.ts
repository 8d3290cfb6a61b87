/** Tells of each failure of a store where it happens, whoever asked for what failed. */
import type { Readable } from 'node:stream'
import { systemCode } from '../base/errors.ts'
import type { BlobStore } from './blob-store.ts'

/** What a disk says in the middle of a file; whoever takes the bytes may break off with other words. */
const diskCodes = ['EIO', 'ESTALE']

/** The same store; it calls `tell` for each failure that is its own, and not that of the source of an upload. */
export function countFailures(store: BlobStore, tell: () => void): BlobStore {
  const note = (error: unknown): void => {
    if (systemCode(error) !== undefined) tell()
  }
  const noted =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      run(...args).catch(error => {
        note(error)
        throw error
      })
  const notedStream = <Args extends unknown[]>(open: (...args: Args) => Promise<Readable>) => {
    const openNoted = noted(open)
    return async (...args: Args): Promise<Readable> =>
      (await openNoted(...args)).once('error', error => {
        if (diskCodes.includes(systemCode(error) ?? '')) tell()
      })
  }
  async function* notedList<Item>(list: AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      yield* list
    } catch (error) {
      note(error)
      throw error
    }
  }
  return {
    put: async (key, source) => {
      let broken: unknown
      async function* watched(): AsyncGenerator<Buffer> {
        try {
          yield* source
        } catch (error) {
          broken = error
          throw error
        }
      }
      await store.put(key, watched()).catch(error => {
        if (error !== broken) note(error)
        throw error
      })
    },
    adopt: noted(store.adopt),
    read: notedStream(store.read),
    fileOf: store.fileOf,
    share: noted(store.share),
    size: noted(store.size),
    rejuvenate: noted(store.rejuvenate),
    replace: noted(store.replace),
    remove: noted(store.remove),
    list: () => notedList(store.list()),
    listStrangers: () => notedList(store.listStrangers()),
    quarantine: noted(store.quarantine),
    keepDamaged: noted(store.keepDamaged),
    listQuarantine: () => notedList(store.listQuarantine()),
    readQuarantined: notedStream(store.readQuarantined),
    putBack: noted(store.putBack),
    purgeQuarantine: noted(store.purgeQuarantine),
    space: noted(store.space),
    check: noted(store.check),
    readMark: noted(store.readMark),
    saveMark: noted(store.saveMark),
  }
}
