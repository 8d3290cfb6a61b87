/** Describes what was done by a link. */
import type { LinkEvent } from '../../../../src/api/links.ts'

/** What the name of an item follows. */
const words: Record<string, string> = {
  'file.download': 'Downloaded',
  'folder.download': 'Downloaded the folder',
  'file.preview': 'Looked at',
  'file.upload': 'Uploaded',
  'link.create': 'Link made',
  'link.update': 'Link changed',
}

const times = (more: unknown): string =>
  typeof more !== 'number' ? '' : more === 1 ? ', once more' : `, ${more.toLocaleString('en-US')} more times`

/** `Downloaded a.txt, 3 more times`; an unknown action is shown by its own name. */
export function LinkEventWords({ event: { action, detail } }: { event: LinkEvent }) {
  const { name, more } = detail ?? {}
  return (
    <>
      {words[action] ?? action}
      {typeof name === 'string' && (
        <>
          {' '}
          <bdi>{name}</bdi>
        </>
      )}
      {times(more)}
    </>
  )
}
