/** Runs the terminal browser on a pseudo-terminal, and reads the screen as a user would see it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import xterm from '@xterm/headless'
import { execa } from 'execa'
import { expect, onTestFinished, vi } from 'vitest'
import { startOnTty, type Terminal } from './terminal.ts'

interface Size {
  columns: number
  rows: number
}

/** The sequences that a terminal sends for keys. */
export const keys = {
  up: '\u001b[A',
  down: '\u001b[B',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  enter: '\r',
  tab: '\t',
  backspace: '\u007f',
  escape: '\u001b',
  interrupt: '\u0003',
} as const

interface Screen {
  /** Sends keys. Call it only after the screen shows that they are expected. */
  type(...keys: string[]): void
  /** The lines of the screen without trailing spaces. */
  lines(): string[]
  /** The columns in which a text begins, from the top line down. */
  columnsOf(text: string): number[]
  /** The line with the cursor. */
  current(): string
  /** Waits until the whole screen matches. */
  shows(expected: string | RegExp): Promise<void>
  /** Waits until the screen no longer holds the text. */
  hides(text: string): Promise<void>
  /** Waits until the cursor is on a line with the text. */
  stands(text: string): Promise<void>
  resize(size: Size): Promise<void>
  /** Sends a signal to the browser itself. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Everything that was sent to the terminal. */
  sent(): string
  isAlternate(): boolean
  /** The exit code of the browser. */
  code(): Promise<number | undefined>
}

const waiting = { timeout: 30_000, interval: 20 }

/** Starts `filestore browse <args>`, and stops it when the test ends. */
export async function openScreen(
  terminal: Terminal,
  args: string[] = [],
  size: Size = { columns: 80, rows: 24 },
): Promise<Screen> {
  const view = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true })
  const facts = join(terminal.configFolder, '..', '..', 'tty')
  const running = startOnTty(terminal, ['browse', ...args], { ...size, facts })
  let sent = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    sent += text
    view.write(text)
  })
  onTestFinished(async () => {
    running.kill('SIGKILL')
    await running
    view.dispose()
  })
  const lines = () =>
    Array.from({ length: view.rows }, (_, row) => view.buffer.active.getLine(row)?.translateToString(true) ?? '')
  /** The text of a line, with each character at its cell: a wide character takes two. */
  const cells = (row: number) => {
    const line = view.buffer.active.getLine(row)
    return Array.from({ length: view.cols }, (_, column) => line?.getCell(column)?.getChars().slice(0, 1) || ' ').join(
      '',
    )
  }
  const current = () => lines().find(line => line.startsWith('›')) ?? ''
  const readFacts = async () => (await readFile(facts, 'utf8')).trim().split('\n')
  return {
    type: (...typed) => {
      for (const key of typed) running.stdin.write(key)
    },
    lines,
    columnsOf: text =>
      Array.from({ length: view.rows }, (_, row) => cells(row).indexOf(text)).filter(column => column >= 0),
    current,
    shows: expected =>
      vi.waitFor(() => {
        const text = lines().join('\n')
        if (typeof expected === 'string') expect(text).toContain(expected)
        else expect(text).toMatch(expected)
      }, waiting),
    hides: text => vi.waitFor(() => expect(lines().join('\n')).not.toContain(text), waiting),
    stands: text => vi.waitFor(() => expect(current()).toContain(text), waiting),
    async resize({ columns, rows }) {
      const [tty = ''] = await readFacts()
      view.resize(columns, rows)
      await execa('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)])
    },
    async signal(name) {
      const [, pid] = await readFacts()
      process.kill(Number(pid), name)
    },
    sent: () => sent,
    isAlternate: () => view.buffer.active.type === 'alternate',
    code: async () => (await running).exitCode,
  }
}
