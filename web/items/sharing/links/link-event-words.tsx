/** Describes what was done by a link. */
import type { LinkEvent } from '../../../../src/api/links.ts'

/** What the name of an item follows. */
const words: Record<string, string> = {
  'file.download': 'Downloaded',
  'folder.download': 'Downloaded the folder',
  'file.preview': 'Looked at',
  'file.upload': 'Uploaded',
}

const times = (more: unknown): string =>
  typeof more !== 'number' ? '' : more === 1 ? ', once more' : `, ${more.toLocaleString('en-US')} more times`

/** `Downloaded a.txt, 3 more times`; an unknown action is shown by its own name. */
export function LinkEventWords({ event: { action, detail } }: { event: LinkEvent }) {
  const { name, reason, more } = detail ?? {}
  if (action === 'link.refuse') return <>Wrong password{times(more)}</>
  if (action === 'file.upload' && detail === null) return <>Uploaded a file that waits for approval</>
  // The log tells a few alike one by one, and then sums them up with a reason instead of a name.
  const what = typeof name === 'string' ? name : reason
  return (
    <>
      {words[action] ?? action}
      {typeof what === 'string' && (
        <>
          {' '}
          <bdi>{what}</bdi>
        </>
      )}
      {times(more)}
    </>
  )
}
