/**
 * Starts the page's first requests while its main script still loads: who is signed in and, when the address shows a
 * folder, what the folder contains. This is a script of its own and small, so that it runs first.
 */
import type { Sorting } from './lib/data/folders.ts'
import {
  authStorage,
  firstPageSize,
  folderStorage,
  leftMark,
  type Preloaded,
  readTimeout,
} from './lib/server/first-calls.ts'

const preloaded: Preloaded = new Map()
window.preloaded = preloaded

/** Reads the whole body now, so that the answer is kept however long the page takes to read it. */
async function askNow(url: string): Promise<Response> {
  const { status, headers, body } = await fetch(url, {
    credentials: 'include',
    signal: AbortSignal.timeout(readTimeout),
  })
  return new Response(await new Response(body).text(), { status, headers })
}

function ask(path: string): void {
  const url = new URL(`api${path}`, document.baseURI).href
  const answer = askNow(url)
  // The page handles a failure when it takes the answer. Until then, do not report it as unhandled.
  answer.catch(() => undefined)
  preloaded.set(url, answer)
}

/** The folder that the address shows: an id, '' for the root, null when it shows none. */
function folderOf(path: string): string | null {
  if (path === '') return localStorage.getItem(folderStorage) ?? ''
  return /^files(?:\/([1-9]\d{0,15}))?$/.exec(path)?.[1] ?? (path === 'files' ? '' : null)
}

/** What this browser remembers of the user; an older filestore has not left everything. */
interface RememberedUser {
  preferences?: Sorting
}

/** In the order that this browser remembers; if another device has changed it, the page asks once more. */
function askForFolder(user: RememberedUser | null): void {
  const folder = folderOf(location.pathname.slice(new URL(document.baseURI).pathname.length))
  if (folder === null) return
  const { sort, order } = user?.preferences ?? { sort: 'name', order: 'asc' }
  const query = new URLSearchParams({ sort, order })
  if (folder !== '') query.set('parent_id', folder)
  query.set('limit', String(firstPageSize))
  ask(`/files?${query}`)
}

if (sessionStorage.getItem(leftMark) === null) {
  ask('/auth/profile')
  const { state } = JSON.parse(localStorage.getItem(authStorage) ?? '{}')
  if (state?.isAuthenticated) askForFolder(state.user)
}
