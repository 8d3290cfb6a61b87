/**
 * Asks for what the page will need first while the page's own script is still on its way: who is signed in and, where
 * the address leads to a folder, what stands in it. A script of its own, and a small one, so that it is there first.
 */
import {
  type Ahead,
  authStorage,
  firstPageSize,
  firstSorting,
  folderStorage,
  leftMark,
  readTimeout,
} from './lib/server/first-calls.ts'

const ahead: Ahead = new Map()

/** Whole: what has come is kept, however long the page takes that will read it. */
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
  // The page hears of it when it takes the answer; until then a failure is nobody's.
  answer.catch(() => undefined)
  ahead.set(url, answer)
}

/** The folder that the address will show: an id, '' for the root; null where it shows none. */
function folderOf(path: string): string | null {
  if (path === '') return localStorage.getItem(folderStorage) ?? ''
  return /^files(?:\/([1-9]\d{0,15}))?$/.exec(path)?.[1] ?? (path === 'files' ? '' : null)
}

function askForFolder(): void {
  const folder = folderOf(location.pathname.slice(new URL(document.baseURI).pathname.length))
  if (folder === null) return
  const query = new URLSearchParams(firstSorting)
  if (folder !== '') query.set('parent_id', folder)
  query.set('limit', String(firstPageSize))
  ask(`/files?${query}`)
}

if (sessionStorage.getItem(leftMark) === null) {
  ask('/auth/profile')
  if (localStorage.getItem(authStorage)?.includes('"isAuthenticated":true')) askForFolder()
}
window.ahead = ahead
