/** The terminal's alternate screen, on which only the lines that changed are drawn. */
import { graphemesOf } from './text.ts'

const control = '\u001b['
/** Alternate screen, no cursor, no wrapping at the edge, pasted text marked as such (bracketed paste). */
const enter = `${control}?1049h${control}?25l${control}?7l${control}?2004h${control}2J`
const leave = `${control}?2004l${control}?7h${control}?25h${control}?1049l`
/** Output between these appears at once, on terminals that know them; others ignore them. */
const [beginUpdate, endUpdate] = [`${control}?2026h`, `${control}?2026l`]

export interface Screen {
  /**
   * Draws a frame, with its lines separated by `
   * `. Does nothing while the screen is closed.
   */
  draw(frame: string): void
  /** Clears the screen, so that the next frame is drawn completely, as after a change of size. */
  clear(): void
  /** Restores the terminal. */
  close(): void
  /** Takes over the terminal again. */
  open(): void
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that begins a style
const ascii = /^[\x1b\x20-\x7e]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const styles = /(\x1b\[[\d;]*m)/

/** Sets the column after each character that is not ASCII, because terminals differ on how wide an emoji is. */
function pinColumns(line: string): string {
  if (ascii.test(line)) return line
  let column = 1
  let pinned = ''
  for (const [index, part] of line.split(styles).entries()) {
    if (index % 2 === 1) {
      pinned += part
      continue
    }
    for (const [grapheme, width] of graphemesOf(part)) {
      column += width
      pinned += ascii.test(grapheme) ? grapheme : `${grapheme}${control}${column}G`
    }
  }
  return pinned
}

/** Takes over the terminal. It is restored when the process ends, for whatever reason. */
export function openScreen(output: NodeJS.WriteStream): Screen {
  let shown: string[] = []
  let isOpen = false
  const close = () => {
    if (!isOpen) return
    isOpen = false
    process.off('exit', close)
    output.write(leave)
  }
  const open = () => {
    if (isOpen) return
    isOpen = true
    process.once('exit', close)
    shown = []
    output.write(enter)
  }
  open()
  return {
    open,
    draw(frame) {
      if (!isOpen) return
      const lines = frame.split('\n')
      const changes = lines.map((line, index) =>
        line === shown[index] ? '' : `${control}${index + 1};1H${control}0m${control}2K${pinColumns(line)}`,
      )
      shown = lines
      const text = changes.join('')
      if (text !== '') output.write(`${beginUpdate}${text}${control}0m${endUpdate}`)
    },
    clear() {
      if (!isOpen) return
      shown = []
      output.write(`${control}2J`)
    },
    close,
  }
}
