/**
 * Shows what others change: the server says which folders have something new, and what is on screen is asked for anew.
 * One tab of the browser holds the stream and tells the others, because a browser has six connections to a server.
 */
import type { ChangeMessage } from '../../../src/api/changes.ts'
import { maxFollowingAge } from '../../../src/api/limits.ts'
import { useAuth } from '../server/auth-store.ts'
import { apiUrl, basePath } from '../server/config.ts'
import { queryClient } from '../server/query-client.ts'
import { refreshProfile } from '../server/session.ts'
import { folderKey, refreshItems } from './folders.ts'
import { refreshPending } from './pending.ts'

/** What is to be shown: some folders and the lists that are not of one folder, everything, new rights, or the queue. */
type News = ChangeMessage['folders'] | 'session' | 'queue'

/** A tab begins to follow, and shows what it read since a time (ms, UTC). */
interface Beginning {
  since: number
}

/** The answer to that tab: something was told meanwhile. */
interface Missed {
  missed: number
}

/** ms between two refetches, between two tries of the stream, and between two looks without one. */
const refetchEvery = 1_000
const retryAfter = 2_000
const lookEvery = 60_000
/** Failures in a row after which the page only looks now and then. */
const mostFailures = 3

const name = `filestore changes ${basePath}`
const channel = new BroadcastChannel(name)

let waiting: Set<number | null> | 'all' | null = null
/** Whether the files that wait for approval are to be asked for. */
let isQueueNew = false
let timer: number | undefined
let isDragging = false
/** When this tab, which holds the stream, told the others last; ms, UTC. */
let toldAt = 0

/** Whether a refetch could take something out of the user's hands: a field that is being filled in, or a drag. */
function isBusy(): boolean {
  const active = document.activeElement
  const isTyping =
    active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && active.type === 'text')
  return isDragging || isTyping
}

/** Refetches what waits: of the folders on screen only those that have changed. */
async function refetch(): Promise<void> {
  if (waiting === null && !isQueueNew) return
  if (isBusy()) return plan()
  if (isQueueNew) void refreshPending()
  isQueueNew = false
  if (waiting === null) return
  const folders = waiting
  waiting = null
  if (folders === 'all') await refreshItems()
  else {
    await refreshItems(['folder', 'item'])
    await Promise.all([...folders].map(id => queryClient.invalidateQueries({ queryKey: folderKey(id) })))
    await queryClient.invalidateQueries({ queryKey: ['item'] })
  }
}

function plan(): void {
  timer ??= window.setTimeout(() => {
    timer = undefined
    void refetch()
  }, refetchEvery)
}

/** The first news is shown at once, and what follows within a second with the next refetch. */
function show(news: News): void {
  if (news === 'session') void refreshProfile().catch(() => undefined)
  if (news === 'queue') isQueueNew = true
  else if (news === null || news === 'session' || waiting === 'all') waiting = 'all'
  else waiting = new Set([...(waiting ?? []), ...news])
  if (timer !== undefined) return
  plan()
  void refetch()
}

function tell(news: News): void {
  toldAt = Date.now()
  channel.postMessage(news)
  show(news)
}

/** Takes the news of the tab that holds the stream; as that tab, answers one that begins to follow. */
function receive(message: News | Beginning | Missed): void {
  if (message === null || typeof message === 'string' || Array.isArray(message)) show(message)
  else if ('since' in message) {
    if (toldAt >= message.since) channel.postMessage({ missed: message.since } satisfies Missed)
  } else if (message.missed === performance.timeOrigin) {
    // What it was is not known any more.
    show('session')
  }
}

/** Holds the stream until nobody is signed in, or until `end`. */
function hold(end?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    let failures = 0
    let source: EventSource | undefined
    let retry: number | undefined
    const open = () => {
      // What changed while the tab was being opened, or when another tab held the stream, is told as well.
      const age = Math.min(Math.round(performance.now()), maxFollowingAge)
      source = new EventSource(apiUrl(`/events/stream?age=${age}`))
      source.onopen = () => {
        // The stream may have been away for longer than it tells of.
        if (failures > 0) tell(null)
        failures = 0
      }
      source.addEventListener('change', ({ data }) => tell((JSON.parse(data) as ChangeMessage).folders))
      source.addEventListener('session', () => tell('session'))
      source.addEventListener('queue', () => tell('queue'))
      source.onerror = () => {
        // The server has answered, and not with a stream: the session may have ended.
        if (source?.readyState === EventSource.CLOSED) void refreshProfile().catch(() => undefined)
        source?.close()
        failures += 1
        if (failures > mostFailures) tell(null)
        retry = window.setTimeout(open, failures >= mostFailures ? lookEvery : retryAfter)
      }
    }
    const stop = () => {
      source?.close()
      window.clearTimeout(retry)
      unsubscribe()
      resolve()
    }
    const unsubscribe = useAuth.subscribe(({ user }) => user === null && stop())
    end?.addEventListener('abort', stop, { once: true })
    open()
  })
}

/** Without Web Locks, which browsers have over HTTPS alone, each tab holds a stream while it is looked at. */
function holdWhileVisible(): void {
  let end: AbortController | undefined
  const look = () => {
    const isWanted = document.visibilityState === 'visible' && useAuth.getState().user !== null
    if (isWanted && end === undefined) {
      end = new AbortController()
      void hold(end.signal)
    } else if (!isWanted) {
      end?.abort()
      end = undefined
    }
  }
  document.addEventListener('visibilitychange', look)
  useAuth.subscribe(look)
  look()
}

let isFollowing = false

const stopFollowing = (): void => {
  isFollowing = false
}

/** Begins to follow, for as long as the page is open; whoever signs in later is followed by the next call. */
export function followChanges(): void {
  if (isFollowing || useAuth.getState().user === null) return
  isFollowing = true
  channel.onmessage = ({ data }: MessageEvent<News | Beginning | Missed>) => receive(data)
  channel.postMessage({ since: performance.timeOrigin } satisfies Beginning)
  const drag = ({ type }: DragEvent) => {
    isDragging = type === 'dragstart'
  }
  document.addEventListener('dragstart', drag, true)
  document.addEventListener('dragend', drag, true)
  // `locks` is missing on plain HTTP.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) holdWhileVisible()
  else void locks.request(name, () => hold()).finally(stopFollowing)
}
