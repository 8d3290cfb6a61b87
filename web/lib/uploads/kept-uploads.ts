/** What this browser remembers of unfinished uploads, in IndexedDB: which file on the disk each is of. */
import { basePath } from '../server/config.ts'

export interface KeptUpload {
  /** The upload's id on the server. */
  id: string
  userId: number
  /** Null is the root. */
  folderId: number | null
  /** For people; empty if unknown. */
  folderName: string
  name: string
  size: number
  lastModified: number
  /** The SHA-256 of the first MiB, in hex; null where the browser computes none, as over plain HTTP. */
  start: string | null
  /** Opens the file again, if the browser and the way it was given allow that. */
  handle: FileSystemFileHandle | null
}

/** An upload that an earlier page has begun. */
export interface Unfinished extends KeptUpload {
  /** Bytes that the server has. */
  received: number
}

export interface KeptUploads {
  all(): Promise<KeptUpload[]>
  put(upload: KeptUpload): Promise<void>
  delete(id: string): Promise<void>
}

const storeName = 'uploads'

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function openDatabase(): Promise<IDBDatabase> {
  // One origin may have several servers, each below a path of its own.
  const opening = indexedDB.open(`filestore ${basePath}`, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'id' })
  return done(opening)
}

/** Opens the store. Its functions reject where the browser stores nothing, as some do in private windows. */
export function openKeptUploads(): KeptUploads {
  let database: Promise<IDBDatabase> | undefined
  const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    database ??= openDatabase()
    return (await database).transaction(storeName, mode).objectStore(storeName)
  }
  return {
    all: async () => done((await store('readonly')).getAll() as IDBRequest<KeptUpload[]>),
    put: async upload => void (await done((await store('readwrite')).put(upload))),
    delete: async id => void (await done((await store('readwrite')).delete(id))),
  }
}
