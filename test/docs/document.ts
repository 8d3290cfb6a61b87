/** Parses docs/api.md into its code blocks and tables, each with its headings. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  /** The `##` heading above and the last heading of any level, such as `Code Examples` and `Search`. */
  chapter: string
  section: string
  language: string
  code: string
}

interface Table {
  chapter: string
  section: string
  /** The cells below the head, row by row. */
  rows: string[][]
}

export const documentText = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
export const blocks: Block[] = []
export const tables: Table[] = []
/** The `##` headings in order. */
export const chapters: string[] = []

/** Matches a code block, which may be indented; a heading; a table. */
const piece = /^( *)```(\w*)\n([\s\S]*?)^\1```$|^(###?) (.+)$|^((?:\|.*\n)+)/gm

const readRows = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .slice(2)
    .map(line => line.split('|').slice(1, -1))
    .map(cells => cells.map(cell => cell.trim()))

let chapter = ''
let section = ''
for (const [, , language, code, marks, title = '', lines] of documentText.matchAll(piece)) {
  if (marks === '##') {
    chapter = title
    chapters.push(title)
  }
  if (marks !== undefined) section = title
  if (lines !== undefined) tables.push({ chapter, section, rows: readRows(lines) })
  if (language !== undefined && code !== undefined) blocks.push({ chapter, section, language, code })
}

/** The rows of the only table of a section. */
export function rowsOf(title: string): string[][] {
  const found = tables.filter(table => table.section === title)
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} tables stand under '${title}'`)
  return found[0].rows
}

/** The texts in backticks. */
export const codeWords = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '')
