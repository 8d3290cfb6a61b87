/** Runs the browser on this process's terminal until the person leaves it. */
import { EventEmitter, once } from 'node:events'
import { render } from 'ink'
import type { FileItem } from '../../src/api/items.ts'
import { divertNotices } from '../../terminal/output.ts'
import type { SignedIn } from '../signed-in.ts'
import { copySequence } from './address.ts'
import { type App, createApp, say } from './app.ts'
import { fitToTerminal, keepCursorsInView } from './keeping-in-view.ts'
import { listenToKeys } from './keyboard.ts'
import { loadMissing } from './loading.ts'
import { openPreview } from './preview.ts'
import { openScreen, type Screen } from './screen.ts'
import type { State } from './state.ts'
import { createStore } from './store.ts'
import { Browser } from './view/browser.tsx'
import { setColors } from './view/theme.ts'

/** Returns the stream that Ink draws on. It receives whole frames, and the screen draws what changed. */
function canvasOf(screen: Screen): NodeJS.WriteStream {
  const { stdout } = process
  const canvas = Object.assign(new EventEmitter(), {
    isTTY: false,
    write: (frame: string) => {
      screen.draw(frame)
      return true
    },
  })
  Object.defineProperty(canvas, 'columns', { get: () => stdout.columns })
  Object.defineProperty(canvas, 'rows', { get: () => stdout.rows })
  return canvas as unknown as NodeJS.WriteStream
}

/** Milliseconds after which the signal has taken effect for certain. */
const resumeDelay = 100

/**
 * Suspends the process as Ctrl-Z usually does; in raw mode that key is read like any other. Returns the timer that
 * takes the terminal back.
 */
function suspend(app: App, screen: Screen): NodeJS.Timeout | undefined {
  // Windows has no SIGTSTP.
  if (process.platform === 'win32') return undefined
  screen.close()
  process.stdin.setRawMode(false)
  process.kill(process.pid, 'SIGTSTP')
  // The timer does not run while the process is stopped. If no shell can stop it, the browser is back at once.
  return setTimeout(() => {
    process.stdin.setRawMode(true)
    screen.open()
    fitToTerminal(app)
  }, resumeDelay)
}

/** Draws the browser and handles keys. Resolves when the person quits, and rejects on a signal or an error. */
async function show(app: App, screen: Screen, ended: Promise<unknown>): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    app.server.signal.addEventListener('abort', () => reject(app.server.signal.reason), { once: true })
  })
  const resized = () => {
    screen.clear()
    fitToTerminal(app)
  }
  // Ink usually erases and redraws line by line; in `debug` mode it passes each frame as a whole.
  const ink = render(<Browser store={app.store} />, { stdout: canvasOf(screen), debug: true, exitOnCtrlC: false })
  const stopWatching = app.store.subscribe(() => {
    keepCursorsInView(app)
    loadMissing(app)
  })
  const stopKeys = listenToKeys(app, process.stdin)
  const restoreNotices = divertNotices(message => say(app, message))
  process.stdout.on('resize', resized)
  try {
    loadMissing(app)
    await Promise.race([ended, aborted, ink.waitUntilExit()])
  } finally {
    process.stdout.off('resize', resized)
    restoreNotices()
    stopKeys()
    stopWatching()
    ink.unmount()
  }
}

/**
 * Runs the browser on the whole terminal, and restores the terminal in any case. Transfers that are cut off clean up
 * first. `previewed` is a file whose preview is open at the start.
 */
export async function runBrowser({ server }: SignedIn, initial: State, previewed?: FileItem): Promise<void> {
  const ended = new AbortController()
  const screen = openScreen(process.stdout)
  const stop = new AbortController()
  let resuming: NodeJS.Timeout | undefined
  const signal = AbortSignal.any([server.signal, stop.signal])
  const app = createApp({ ...server, signal }, createStore(initial), {
    quit: () => ended.abort(),
    suspend: () => {
      clearTimeout(resuming)
      resuming = suspend(app, screen)
    },
    copy: text => void process.stdout.write(copySequence(text)),
  })
  setColors(process.stdout.hasColors())
  if (previewed !== undefined) openPreview(app, previewed)
  try {
    await show(app, screen, once(ended.signal, 'abort'))
  } finally {
    // Otherwise the timer would take the terminal back after it is restored here.
    clearTimeout(resuming)
    screen.close()
    stop.abort()
    await Promise.allSettled(app.running.keys())
  }
}
