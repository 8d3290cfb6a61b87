/** Reads keys from the terminal and passes each to the part of the screen that is active. */
import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { App } from './app.ts'
import { takeChoiceKey } from './choosing.ts'
import { scrollHelp } from './help-text.ts'
import { takeListKey } from './keys.ts'
import { bodyRows } from './layout.ts'
import { takePickerKey } from './picking.ts'
import { viewOf } from './place.ts'
import { scrollPreview } from './preview.ts'
import { backToList, takeConfirmKey, takePromptKey } from './prompting.ts'
import { takeSharingKey } from './sharing.ts'
import { takeTagKey } from './tagging.ts'

/** Names a key: `j`, `G`, `up`, `ctrl-c`, `return`. Letters are named as typed, other keys by their name. */
function nameKey(text: string | undefined, { name, ctrl, meta, sequence }: Key): string {
  if (name === 'enter') return 'return'
  if (ctrl && name !== undefined) return `ctrl-${name}`
  if (text === ' ') return 'space'
  if (meta && name !== 'escape') return `meta-${name}`
  if (name !== undefined && (text === undefined || name.length > 1)) return name
  return text ?? sequence ?? ''
}

const isTyped = (text: string | undefined, { ctrl, meta }: Key): text is string =>
  text !== undefined && !ctrl && !meta && !/\p{Cc}/u.test(text)

const scrolls: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  pageup: page => -page,
  pagedown: page => page,
  space: page => page,
  g: () => Number.NEGATIVE_INFINITY,
  home: () => Number.NEGATIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
}

const closers = new Set(['escape', 'q', '?', 'backspace', 'left', 'h', 'return'])

/** Whether a key acts on the previewed file: it downloads it, or decides on one that waits. */
const actsOnPreview = (app: App, key: string): boolean =>
  key === 'D' || ((key === 'a' || key === 'x') && viewOf(app.store.get().place) === 'pending')

function scrollOrClose(app: App, key: string, scroll: (app: App, rows: number) => void) {
  const rows = scrolls[key]?.(bodyRows(app.store.get()) - 2)
  if (rows !== undefined) return scroll(app, rows)
  if (closers.has(key)) return backToList(app)
}

function takeKey(app: App, key: string, text: string) {
  const { mode } = app.store.get()
  if (mode.kind === 'prompt') return takePromptKey(app, mode, key, text)
  if (mode.kind === 'confirm') return takeConfirmKey(app, mode, key)
  if (mode.kind === 'picker') return takePickerKey(app, mode, key)
  if (mode.kind === 'tags') return takeTagKey(app, mode, key)
  if (mode.kind === 'share') return takeSharingKey(app, mode, key)
  if (mode.kind === 'choice') return takeChoiceKey(app, mode, key)
  if (mode.kind === 'help') return scrollOrClose(app, key, scrollHelp)
  if (mode.kind === 'preview') {
    if (actsOnPreview(app, key)) {
      // While the preview is open, actions apply to the previewed file. A question then replaces the preview.
      takeListKey(app, key)
      if (app.store.get().mode.kind === 'preview') backToList(app)
      return
    }
    return scrollOrClose(app, key, scrollPreview)
  }
  takeListKey(app, key)
}

/** Milliseconds after which an escape is the key itself, not the start of another key's sequence. */
const escapeCodeTimeout = 50

/** Handles the terminal's keys. Call the result to stop. */
export function listenToKeys(app: App, input: NodeJS.ReadStream): () => void {
  let pasting = false
  const take = (text: string | undefined, key: Key) => {
    if (key.name === 'paste-start') pasting = true
    if (key.name === 'paste-end') pasting = false
    // In raw mode Ctrl-C arrives as a key, but the rest of the program listens for the signal.
    if (key.ctrl && key.name === 'c') return void process.kill(process.pid, 'SIGINT')
    if (key.ctrl && key.name === 'z') return app.suspend()
    const typed = isTyped(text, key) ? text : ''
    // Pasted text is only text, never a command.
    if (pasting && (app.store.get().mode.kind !== 'prompt' || typed === '')) return
    takeKey(app, pasting ? '' : nameKey(text, key), typed)
  }
  emitKeypressEvents(input, { escapeCodeTimeout } as Interface & { escapeCodeTimeout: number })
  input.setRawMode(true)
  input.on('keypress', take)
  input.resume()
  return () => {
    input.off('keypress', take)
    input.setRawMode(false)
    input.pause()
  }
}
