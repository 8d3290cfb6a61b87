/** Reports each failure of a store at the store itself, so that it counts whichever caller ran into it. */
import type { Readable } from 'node:stream'
import { systemCode } from '../base/errors.ts'
import type { AsidePlace, BlobStore, LocalFiles } from './blob-store.ts'

/**
 * Errors of the disk in the middle of a stream. The reader may destroy the stream with other errors; they do not count.
 */
const diskCodes = ['EIO', 'ESTALE']

type Tell = () => void

function note(tell: Tell, error: unknown): void {
  if (systemCode(error) !== undefined) tell()
}

const noted =
  <Args extends unknown[], Result>(tell: Tell, run: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    run(...args).catch(error => {
      note(tell, error)
      throw error
    })

const notedStream = <Args extends unknown[]>(tell: Tell, open: (...args: Args) => Promise<Readable>) => {
  const openNoted = noted(tell, open)
  return async (...args: Args): Promise<Readable> =>
    (await openNoted(...args)).once('error', error => {
      if (diskCodes.includes(systemCode(error) ?? '')) tell()
    })
}

async function* notedList<Item>(tell: Tell, list: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* list
  } catch (error) {
    note(tell, error)
    throw error
  }
}

/** An error that the source of an upload throws is not a failure of the store. */
async function notedPut(tell: Tell, store: BlobStore, key: string, source: AsyncIterable<Buffer>): Promise<void> {
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
    if (error !== broken) note(tell, error)
    throw error
  })
}

const notedAside = (tell: Tell, aside: AsidePlace): AsidePlace => ({
  take: noted(tell, aside.take),
  giveBack: noted(tell, aside.giveBack),
  read: notedStream(tell, aside.read),
  list: () => notedList(tell, aside.list()),
  remove: noted(tell, aside.remove),
})

const notedLocal = (tell: Tell, local: LocalFiles): LocalFiles => ({
  folder: local.folder,
  adopt: noted(tell, local.adopt),
  fileOf: local.fileOf,
  share: noted(tell, local.share),
  listStrangers: () => notedList(tell, local.listStrangers()),
  space: noted(tell, local.space),
})

/** Returns the same store; it calls `tell` for each failure of its own, but not for one of an upload's source. */
export const countFailures = (store: BlobStore, tell: Tell): BlobStore => ({
  name: store.name,
  timeToOpen: store.timeToOpen,
  put: (key, source) => notedPut(tell, store, key, source),
  // A failure of the source does not reject.
  append: noted(tell, store.append),
  seal: noted(tell, store.seal),
  drop: noted(tell, store.drop),
  read: notedStream(tell, store.read),
  size: noted(tell, store.size),
  redirect: noted(tell, store.redirect),
  rejuvenate: noted(tell, store.rejuvenate),
  replace: noted(tell, store.replace),
  remove: noted(tell, store.remove),
  list: () => notedList(tell, store.list()),
  removeUnfinished: noted(tell, store.removeUnfinished),
  check: noted(tell, store.check),
  readMark: noted(tell, store.readMark),
  saveMark: noted(tell, store.saveMark),
  aside: notedAside(tell, store.aside),
  local: store.local === null ? null : notedLocal(tell, store.local),
})
