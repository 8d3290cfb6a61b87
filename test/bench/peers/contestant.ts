/** What the measurements know of a server: filestore, the bare server, or a product of others. */
import type { Target } from '../client.ts'
import type { ServerProcess } from '../server-process.ts'

/** The number of bytes of a small file. */
export const smallSize = 10 * 1024
/** Connections that send small files, or ask for them. */
export const lanes = 8

/** A way to upload many small files. */
export interface SmallUploads {
  /** What tells it from the server's other ways; empty for the only one. */
  name: string
  filesPerRequest: number
  /** Requests at once, each on a connection of its own. */
  lanes: number
  /** The status of an answer. */
  status: number
  build(target: Target, count: number): Promise<Buffer[]>
}

export interface Contestant {
  name: string
  /** Whether an uploaded file has been synced to the disk when its upload is answered. */
  syncs: boolean
  /** The headers of its user's requests. */
  headers: Record<string, string>
  start(): Promise<ServerProcess>
  smallUploads: readonly SmallUploads[]
  /** The number of files where the uploads go. */
  countUploads(target: Target): Promise<number>
  /** The paths of different files of `smallSize`. */
  smallFiles: readonly string[]
  largeFile: string
  /** The file on the disk with the bytes of `largeFile`. */
  largeBytes: string
  sendLarge(target: Target, size: number): Promise<unknown>
  /** Removes what `sendLarge` has stored, with its bytes: to write where none were ever takes a virtual disk longer. */
  clearLarge(target: Target): Promise<void>
}

/** A contestant whose server runs. */
export interface Running {
  contestant: Contestant
  target: Target
}

let names = 0

/** Makes the name of a new file. */
export const newName = (): string => `file-${++names}.bin`
