/** The pause of all sending, while the server is busy or the connection is broken. */
import { create } from 'zustand'
import { sleepOrOnline, waitUntilThere } from '../../lib/server/reach.ts'

type Cause = 'busy' | 'broken'

/** Why nothing new is sent now; null while files are sent. */
export const usePause = create<{ cause: Cause | null }>(() => ({ cause: null }))

/** Milliseconds of the longest pause between two tries that break, although the server can be reached. */
const longestPause = 60_000

let pause: { over: Promise<void>; end: () => void } | null = null
/** Pauses for a broken connection since something was last answered. */
let breaks = 0

/** Resolves when sending may go on. */
export const untilOver = async (): Promise<void> => pause?.over

/** Ends the pause at once. */
export const endPause = (): void => pause?.end()

/** The server has answered, so the next pause for a broken connection is short again. */
export function noteAnswer(): void {
  breaks = 0
}

/** Pauses for the seconds that the server asks for. */
export const pauseFor = (seconds: number): void =>
  begin('busy', () => new Promise(resolve => setTimeout(resolve, seconds * 1000)))

/** Pauses until the server can be reached, and longer each time that this did not help. */
export const pauseForLine = (): void =>
  begin('broken', async signal => {
    breaks += 1
    if (breaks > 1) await sleepOrOnline(Math.min(1000 * 2 ** (breaks - 2), longestPause), signal)
    await waitUntilThere({ signal })
  })

/** Begins a pause unless there is one: all files wait for the same. */
function begin(cause: Cause, wait: (signal: AbortSignal) => Promise<void>): void {
  if (pause !== null) return
  const control = new AbortController()
  const over = new Promise<void>(resolve => {
    control.signal.addEventListener('abort', () => resolve())
    void wait(control.signal).then(resolve)
  }).then(() => {
    pause = null
    usePause.setState({ cause: null })
  })
  pause = { over, end: () => control.abort() }
  usePause.setState({ cause })
}
