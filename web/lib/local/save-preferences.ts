/** Sends changed preferences to the server: a moment after the last change, or when the page is left. */
import { updatePreferences } from '../../../src/api/auth.ts'
import { call } from '../server/call.ts'
import { apiUrl } from '../server/config.ts'
import { watch } from '../server/connection.ts'
import { log } from '../server/log-failure.ts'
import { takeUnsaved } from './unsaved-preferences.ts'

/** Milliseconds without a further change before the changes are sent. */
const pause = 500

let timer: ReturnType<typeof setTimeout> | undefined

export function saveSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void save(), pause)
}

/** A server that cannot be reached gets them once it answers; what it refuses goes with the next change. */
export async function save(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const unsaved = takeUnsaved()
  if (unsaved === null) return
  try {
    await call(updatePreferences, unsaved.changes)
    unsaved.settle()
  } catch (error) {
    log('Failed to save preferences', error)
    if (error instanceof TypeError) void watch().then(saveSoon)
  }
}

// Nobody waits for this answer: after a reload the page sends the changes again, because it cannot know.
window.addEventListener('pagehide', () => {
  const unsaved = timer === undefined ? null : takeUnsaved()
  if (unsaved === null) return
  const { method, path } = updatePreferences
  const headers = { 'Content-Type': 'application/json' }
  fetch(apiUrl(path), {
    method,
    keepalive: true,
    credentials: 'include',
    headers,
    body: JSON.stringify(unsaved.changes),
  }).catch(() => undefined)
})
