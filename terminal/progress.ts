/** Shows on a terminal how transfers go on; elsewhere it shows nothing and loads nothing. */
import type { Ora } from 'ora'
import { processContext } from '../src/base/process-context.ts'
import { countOf, formatDuration, formatSize } from './format.ts'
import { visible } from './visible.ts'

/** One file on its way. */
export interface Transfer {
  /** Begins, or begins anew after a failed attempt. */
  begin(): void
  /** More bytes of it have passed. */
  add(bytes: number): void
  /** It has arrived, or failed for good. */
  end(): void
}

export interface Progress {
  /** Adds a file to the display. `total` in bytes, where known. */
  open(label: string, total: number | undefined): Transfer
  /** Takes the display away. */
  stop(): void
}

/** On a line of its own, between others. */
interface Display extends Progress {
  /** Makes room for a line of data; the display comes back by itself. */
  clear(): void
}

/** Milliseconds between two texts; the spinner itself turns by ora's clock. */
const refreshInterval = 100
/** Columns that the spinner and the gap before the figures take. */
const margin = 5

const ignore = () => undefined
const silent: Display = { open: () => ({ begin: ignore, add: ignore, end: ignore }), clear: ignore, stop: ignore }

/** What is shown of a file on its way; of several together, their sum. */
interface Figures {
  label: string
  total: number | undefined
  done: number
  startedAt: number
}

function formatFigures({ total, done, startedAt }: Figures, now: number): string {
  const seconds = (now - startedAt) / 1000
  const speed = seconds > 0.5 ? done / seconds : 0
  const rate = speed > 0 ? `${formatSize(Math.round(speed))}/s` : ''
  if (total === undefined) return [formatSize(done), rate].filter(part => part !== '').join('  ')
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const left = speed > 0 ? `${formatDuration((total - done) / speed)} left` : ''
  return [`${percent}% of ${formatSize(total)}`, rate, left].filter(part => part !== '').join('  ')
}

/** From Hangul on, characters may take two columns; counting all of them so errs on the safe side. */
const columnsOf = (character: string): number => ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1)

/** Keeps the end of a label, which tells files of one folder apart. */
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
  /** A single file with its own figures; of many how many have arrived, and the sum. */
  function current(): Figures | undefined {
    const [oldest] = open
    if (oldest === undefined || (open.size === 1 && sum.files === 0)) return oldest
    const done = [...open].reduce((bytes, figures) => bytes + figures.done, sum.bytes)
    return { label: `${countOf(sum.files, 'file')}, ${oldest.label}`, total: undefined, done, startedAt: sum.startedAt }
  }
  const show = () => {
    const figures = current()
    if (figures !== undefined) spinner.text = formatLine(figures, screen.columns)
  }
  return {
    open(label, total) {
      const figures: Figures = { label: visible(label), total, done: 0, startedAt: Date.now() }
      return {
        begin() {
          Object.assign(figures, { done: 0, startedAt: Date.now() })
          open.add(figures)
          show()
          spinner.start()
          timer ??= setInterval(show, refreshInterval)
        },
        add(bytes) {
          figures.done += bytes
        },
        end() {
          if (!open.delete(figures)) return
          sum.files += 1
          sum.bytes += figures.done
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
  // A terminal of no width, as some containers give, would have the spinner count lines without end.
  if (!stderr.isTTY || !(stderr.columns > 0)) return silent
  const { default: ora } = await import('ora')
  // With stdin discarded ora would put the terminal into raw mode, and Ctrl-C would be its business.
  return showOn(ora({ discardStdin: false, stream: stderr }), stderr)
}
