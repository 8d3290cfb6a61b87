/**
 * The code examples of docs/api.md, which the build includes in the page. test/docs runs each, so the screen shows
 * tested code.
 */
import reference from '../../../../docs/api.md'

export const languages = [
  { key: 'bash', label: 'bash' },
  { key: 'python', label: 'Python' },
  { key: 'javascript', label: 'Node' },
  { key: 'go', label: 'Go' },
] as const
export type Language = (typeof languages)[number]['key']

/** A paragraph of prose, or a block of code with the language of its fence. */
export type Part = { kind: 'prose'; text: string } | { kind: 'code'; language: string; code: string }

interface Example {
  title: string
  parts: readonly Part[]
}

const chapter = reference.slice(reference.indexOf('\n## Code Examples\n'))
const [head = '', ...sections] = chapter.split(/^### /m)

const piece = /^```(\w*)\n([\s\S]*?)\n```$|^(?!\n)((?:.+\n?)+)/gm

function partsOf(text: string): Part[] {
  return [...text.matchAll(piece)].map(([, language, code, prose = '']) =>
    language === undefined || code === undefined
      ? { kind: 'prose', text: plain(prose) }
      : { kind: 'code', language, code },
  )
}

/** Removes line breaks and links, whose targets are elsewhere in the document. */
const plain = (prose: string): string =>
  prose
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('\n', ' ')
    .trim()

export const examples: readonly Example[] = sections.map(section => {
  const end = section.indexOf('\n')
  return { title: section.slice(0, end), parts: partsOf(section.slice(end + 1)) }
})

/** The environment variables that every example needs, for the server at this address. */
export function environmentFor(address: string): string {
  const block = /^```sh\n([\s\S]*?)\n```$/m.exec(head)?.[1] ?? ''
  return block.replace(/(FILESTORE_URL=).*/, `$1${address}`)
}

/** The file name to save an example as, and the command to run it. */
export function howToRun(language: Language): { saveAs: string; run: string } {
  const rows = head.split('\n').filter(line => line.startsWith('|'))
  const row = rows[languages.findIndex(({ key }) => key === language) + 2] ?? ''
  const [saveAs = '', run = ''] = [...row.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '')
  return { saveAs, run }
}
