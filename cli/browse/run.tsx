/** Runs the browser on this process's terminal until the person leaves it. */
import { EventEmitter, once } from 'node:events'
import { render } from 'ink'
import { divertNotices } from '../../terminal/output.ts'
import type { SignedIn } from '../signed-in.ts'
import { type App, createApp, say } from './app.ts'
import { fitToTerminal, keepCursorsInView } from './keeping-in-view.ts'
import { listenToKeys } from './keyboard.ts'
import { loadMissing } from './loading.ts'
import { openScreen, type Screen } from './screen.ts'
import type { State } from './state.ts'
import { createStore } from './store.ts'
import { Browser } from './view/browser.tsx'
import { setColors } from './view/theme.ts'

/** What Ink draws on: a picture at a time, of which the screen shows what changed. */
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

/** Milliseconds in which the signal surely takes effect. */
const resumeDelay = 100

/**
 * Stops the process as Ctrl-Z does elsewhere; in raw mode that key is read like every other. Answers the timer that
 * takes the terminal again.
 */
function suspend(app: App, screen: Screen): NodeJS.Timeout | undefined {
  // Windows has no such signal.
  if (process.platform === 'win32') return undefined
  screen.close()
  process.stdin.setRawMode(false)
  process.kill(process.pid, 'SIGTSTP')
  // Time stands still while stopped; where no shell can stop it, the browser is back at once.
  return setTimeout(() => {
    process.stdin.setRawMode(true)
    screen.open()
    fitToTerminal(app)
  }, resumeDelay)
}

/** Draws and listens; the promise ends when the person quits, and fails when a signal or a fault ends it. */
async function show(app: App, screen: Screen, ended: Promise<unknown>): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    app.server.signal.addEventListener('abort', () => reject(app.server.signal.reason), { once: true })
  })
  const resized = () => {
    screen.clear()
    fitToTerminal(app)
  }
  // Ink's own drawing erases and redraws line by line; in this mode it hands over each picture whole.
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

/** Takes the terminal over, and gives it back whatever happens. Transfers that are cut short clear up first. */
export async function runBrowser({ server }: SignedIn, initial: State): Promise<void> {
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
  })
  setColors(process.stdout.hasColors())
  try {
    await show(app, screen, once(ended.signal, 'abort'))
  } finally {
    // It would take again the terminal that is given back here.
    clearTimeout(resuming)
    screen.close()
    stop.abort()
    await Promise.allSettled(app.running.keys())
  }
}
