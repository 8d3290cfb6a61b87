/** One line of editable text with a caret. */
export interface Line {
  text: string
  /** Position in UTF-16 units, never inside a grapheme. */
  caret: number
}

export const lineOf = (text: string, caret = text.length): Line => ({ text, caret })

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function before({ text, caret }: Line): number {
  let last = 0
  for (const { index } of segmenter.segment(text)) if (index < caret) last = index
  return last
}

function after({ text, caret }: Line): number {
  for (const { index } of segmenter.segment(text)) if (index > caret) return index
  return text.length
}

const cut = ({ text }: Line, from: number, to: number): Line => lineOf(text.slice(0, from) + text.slice(to), from)

/** Inserts text at the caret. */
export const insertText = ({ text, caret }: Line, added: string): Line =>
  lineOf(text.slice(0, caret) + added + text.slice(caret), caret + added.length)

const edits: Readonly<Record<string, (line: Line) => Line>> = {
  left: line => lineOf(line.text, before(line)),
  right: line => lineOf(line.text, after(line)),
  home: line => lineOf(line.text, 0),
  end: line => lineOf(line.text),
  'ctrl-a': line => lineOf(line.text, 0),
  'ctrl-e': line => lineOf(line.text),
  'ctrl-u': line => cut(line, 0, line.caret),
  'ctrl-k': line => cut(line, line.caret, line.text.length),
  'ctrl-w': line => cut(line, line.text.slice(0, line.caret).replace(/[^\s/]*[\s/]*$/, '').length, line.caret),
  backspace: line => cut(line, before(line), line.caret),
  delete: line => cut(line, line.caret, after(line)),
}

/** Returns the line after a key, or undefined if the key does not edit. */
export const editLine = (line: Line, key: string): Line | undefined => edits[key]?.(line)
