/** Shows on a terminal how a transfer goes on; elsewhere it shows nothing and loads nothing. */
import type { Ora } from 'ora'
import { formatDuration, formatSize } from './format.ts'
import { visible } from './visible.ts'

export interface Progress {
  /** Begins the next file. `total` in bytes, where known. */
  start(label: string, total: number | undefined): void
  /** More bytes of it have passed. */
  add(bytes: number): void
  /** Takes the display away. */
  stop(): void
}

/** Milliseconds between two texts; the spinner itself turns by ora's clock. */
const refreshInterval = 100
/** Columns that the spinner and the gap before the figures take. */
const margin = 5

const silent: Progress = { start: () => undefined, add: () => undefined, stop: () => undefined }

interface Transfer {
  label: string
  total: number | undefined
  done: number
  startedAt: number
}

function formatFigures({ total, done, startedAt }: Transfer, now: number): string {
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

function formatLine(transfer: Transfer, columns: number): string {
  const figures = formatFigures(transfer, Date.now())
  return `${shorten(transfer.label, columns - figures.length - margin)}  ${figures}`
}

function showOn(spinner: Ora): Progress {
  let transfer: Transfer | undefined
  let timer: NodeJS.Timeout | undefined
  const show = () => {
    if (transfer !== undefined) spinner.text = formatLine(transfer, process.stderr.columns)
  }
  return {
    start(label, total) {
      transfer = { label: visible(label), total, done: 0, startedAt: Date.now() }
      show()
      spinner.start()
      timer ??= setInterval(show, refreshInterval)
    },
    add(bytes) {
      if (transfer !== undefined) transfer.done += bytes
    },
    stop() {
      clearInterval(timer)
      spinner.stop()
    },
  }
}

/** Opens the display on stderr. */
export async function openProgress(): Promise<Progress> {
  // A terminal of no width, as some containers give, would have the spinner count lines without end.
  if (!process.stderr.isTTY || !(process.stderr.columns > 0)) return silent
  const { default: ora } = await import('ora')
  // With stdin discarded ora would put the terminal into raw mode, and Ctrl-C would be its business.
  return showOn(ora({ discardStdin: false }))
}
