/** What the server says of the link: the one state that decides what the page shows. */
import { create } from 'zustand'
import { ApiError } from '../../src/api/client.ts'
import { type LinkInfo, unlockLink, visitLink } from '../../src/api/visits.ts'
import { call, callOnce, token } from './link-calls.ts'

type LinkState =
  | { kind: 'loading' }
  /** `reason` is the server's sentence. */
  | { kind: 'dead'; reason: string }
  | { kind: 'locked' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'open'; info: LinkInfo }

export const useLink = create<{ state: LinkState }>(() => ({ state: { kind: 'loading' } }))

const set = (state: LinkState): void => useLink.setState({ state })

const isDead = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404

/** Asks what the link is on. What is open stays open if the server cannot be reached. */
export async function loadLink(): Promise<void> {
  try {
    const info = await call(visitLink, { token })
    set(info.locked ? { kind: 'locked' } : { kind: 'open', info })
  } catch (error) {
    if (isDead(error)) set({ kind: 'dead', reason: error.message })
    else if (useLink.getState().state.kind !== 'open') set({ kind: 'failed', error })
  }
}

/** Asks again after a failure of the first request. */
export function retryLink(): void {
  set({ kind: 'loading' })
  void loadLink()
}

/** Throws `ApiError` for a wrong password. */
export async function unlock(password: string): Promise<void> {
  try {
    set({ kind: 'open', info: await callOnce(unlockLink, { token, password }) })
  } catch (error) {
    if (!isDead(error)) throw error
    set({ kind: 'dead', reason: error.message })
  }
}

/**
 * A call was refused with 401 or 404: the link may have ended, or its password may have changed, so ask. Resolves with
 * whether the page still shows the link.
 */
export async function confirmLink(error: unknown): Promise<boolean> {
  if (error instanceof ApiError && (error.status === 401 || error.status === 404)) await loadLink()
  return useLink.getState().state.kind === 'open'
}

/** Counts a download on the page, as the server does. */
export function countDownload(): void {
  const { state } = useLink.getState()
  if (state.kind !== 'open' || state.info.downloads_left === null) return
  const left = Math.max(0, state.info.downloads_left - 1)
  set({ kind: 'open', info: { ...state.info, downloads_left: left } })
}
