/** The page's first requests and their settings, shared by the early script and the page itself. */

/** The key of the user in the browser's local storage. */
export const authStorage = 'auth-storage'
/** The local storage key of the last folder viewed. */
export const folderStorage = 'current-folder'
/** A session storage key, set when the user has just signed out, whether or not the server could be told. */
export const leftMark = 'signed-out'

/** Milliseconds before a read times out. */
export const readTimeout = 30_000

/** Entries on a folder's first page: several windows full, so that a huge folder opens as fast as a small one. */
export const firstPageSize = 200

/** The preloaded answers, by the call's address. */
export type Preloaded = Map<string, Promise<Response>>

declare global {
  interface Window {
    /** Set by preload-data.ts; absent when that script failed to load. */
    preloaded?: Preloaded
  }
}
