/** Shows the progress of transfers on a terminal. Without a terminal it shows nothing and loads nothing. */
import type { Ora } from 'ora'
import { processContext } from '../src/base/process-context.ts'
import { countOf, formatDuration, formatSize } from './format.ts'
import { visible } from './visible.ts'

/** One file that is being transferred. */
export interface Transfer {
  /** Starts the transfer, or restarts it after a failed attempt. */
  begin(): void
  /** Counts bytes that were transferred; fewer than none where some have to be transferred again. */
  add(bytes: number): void
  /** Counts bytes that were there already. */
  skip(bytes: number): void
  /** Ends the transfer, whether it succeeded or failed for good. */
  end(): void
}

export interface Progress {
  /** Adds a file to the display. `total` in bytes, if known. */
  open(label: string, total: number | undefined): Transfer
  /** Removes the display. */
  stop(): void
}

/** A progress line that can be cleared to print data above it. */
interface Display extends Progress {
  /** Clears the line so that data can be printed. The display comes back by itself. */
  clear(): void
}

/** Milliseconds between two updates of the text. Ora itself turns the spinner. */
const refreshInterval = 100
/** Columns that the spinner and the space before the figures take. */
const margin = 5

const ignore = () => undefined
const silent: Display = {
  open: () => ({ begin: ignore, add: ignore, skip: ignore, end: ignore }),
  clear: ignore,
  stop: ignore,
}

/** What the display shows of one transfer, or of the sum of several. */
interface Figures {
  label: string
  total: number | undefined
  done: number
  /** How many of them were there already. */
  skipped: number
  startedAt: number
}

function formatFigures({ total, done, skipped, startedAt }: Figures, now: number): string {
  const seconds = (now - startedAt) / 1000
  const speed = seconds > 0.5 ? Math.max(0, done - skipped) / seconds : 0
  const rate = speed > 0 ? `${formatSize(Math.round(speed))}/s` : ''
  if (total === undefined) return [formatSize(done), rate].filter(part => part !== '').join('  ')
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const left = speed > 0 ? `${formatDuration((total - done) / speed)} left` : ''
  return [`${percent}% of ${formatSize(total)}`, rate, left].filter(part => part !== '').join('  ')
}

/**
 * From U+1100 (Hangul) on a character may take two columns. Counting two for each of them can only shorten too much.
 */
const columnsOf = (character: string): number => ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1)

/** Shortens a label at its start, because the end tells files of one folder apart. */
function shorten(label: string, columns: number): string {
  const characters = [...label]
  let left = columns
  const lastDropped = characters.findLastIndex(character => {
    left -= columnsOf(character)
    return left < 1
  })
  return lastDropped < 0 ? label : `…${characters.slice(lastDropped + 1).join('')}`
}

function formatLine(figures: Figures, columns: number): string {
  const text = formatFigures(figures, Date.now())
  return `${shorten(figures.label, columns - text.length - margin)}  ${text}`
}

function showOn(spinner: Ora, screen: NodeJS.WriteStream): Display {
  const open = new Set<Figures>()
  const sum = { files: 0, bytes: 0, startedAt: Date.now() }
  let timer: NodeJS.Timeout | undefined
  /** Returns the figures of a single file; for several files, their sum with the number of finished ones. */
  function current(): Figures | undefined {
    const [oldest] = open
    if (oldest === undefined || (open.size === 1 && sum.files === 0)) return oldest
    const done = [...open].reduce((bytes, figures) => bytes + figures.done - figures.skipped, sum.bytes)
    return {
      label: `${countOf(sum.files, 'file')}, ${oldest.label}`,
      total: undefined,
      done,
      skipped: 0,
      startedAt: sum.startedAt,
    }
  }
  const show = () => {
    const figures = current()
    if (figures !== undefined) spinner.text = formatLine(figures, screen.columns)
  }
  return {
    open(label, total) {
      const figures: Figures = { label: visible(label), total, done: 0, skipped: 0, startedAt: Date.now() }
      return {
        begin() {
          Object.assign(figures, { done: 0, skipped: 0, startedAt: Date.now() })
          open.add(figures)
          show()
          spinner.start()
          timer ??= setInterval(show, refreshInterval)
        },
        add(bytes) {
          figures.done += bytes
        },
        skip(bytes) {
          figures.done += bytes
          figures.skipped += bytes
        },
        end() {
          if (!open.delete(figures)) return
          sum.files += 1
          sum.bytes += figures.done - figures.skipped
        },
      }
    },
    clear() {
      spinner.clear()
    },
    stop() {
      clearInterval(timer)
      spinner.stop()
    },
  }
}

/** Opens the display on stderr. */
export async function openProgress(): Promise<Display> {
  const { stderr } = processContext()
  // Some containers report a terminal width of 0, on which the spinner would count lines without end.
  if (!stderr.isTTY || !(stderr.columns > 0)) return silent
  const { default: ora } = await import('ora')
  // With `discardStdin`, ora would put the terminal into raw mode and handle Ctrl-C itself.
  return showOn(ora({ discardStdin: false, stream: stderr }), stderr)
}
