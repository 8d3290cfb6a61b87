/** What a page that begins asks the server, and how: known to the script that asks ahead and to the page itself. */

/** The key of the user in the browser's local storage. */
export const authStorage = 'auth-storage'
/** The key of the folder last looked at, there too. */
export const folderStorage = 'current-folder'
/** In the tab's own storage: the user has just left, whether or not the server could be told. */
export const leftMark = 'signed-out'

/** Milliseconds after which reading gives up. */
export const readTimeout = 30_000

/** Entries of a folder's first page: several windows full, so that a folder of thousands stands as soon as a small one. */
export const firstPageSize = 200

/** How folders are sorted when a visit begins. */
export const firstSorting = { sort: 'name', order: 'asc' } as const

/** The answers that were asked for ahead, by the address of the call. */
export type Ahead = Map<string, Promise<Response>>

declare global {
  interface Window {
    /** Made by ask-ahead.ts; absent where that script could not be had. */
    ahead?: Ahead
  }
}
