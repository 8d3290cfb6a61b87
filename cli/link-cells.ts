/** Table cells for links. */
import { linkAdds, linkSees } from '../src/api/link-levels.ts'
import { linkStates } from '../src/api/link-words.ts'
import type { Link } from '../src/api/links.ts'
import { countOf } from '../terminal/format.ts'
import { formatTable } from '../terminal/table.ts'
import { timeCell } from './key-cells.ts'

/** Whether a link works, or why not, in a few words. */
export const stateCell = ({ reason }: Pick<Link, 'reason'>): string =>
  reason === null ? 'works' : linkStates[reason].toLowerCase()

/** How much a link was used: `2 of 5 downloads, 3 uploads`. */
export function usedCell({
  level,
  downloads,
  max_downloads: most,
  uploads,
}: Pick<Link, 'level' | 'downloads' | 'max_downloads' | 'uploads'>): string {
  const down = most === null ? countOf(downloads, 'download') : `${downloads} of ${countOf(most, 'download')}`
  const parts = [...(linkSees(level) ? [down] : []), ...(linkAdds(level) ? [countOf(uploads, 'upload')] : [])]
  return parts.join(', ')
}

const pathOf = ({ item }: Link): string => (item === null ? '-' : `${item.path}${item.is_directory ? '/' : ''}`)

/** Formats links with the paths of their items or, if these are known, with their addresses. */
export function formatLinks(links: readonly Link[], withAddress = false): string {
  const heads = ['LEVEL', 'STATE', 'UNTIL', 'PASSWORD', 'USED', 'LABEL', withAddress ? 'ADDRESS' : 'PATH']
  return formatTable(
    [{ head: 'ID', align: 'right' }, ...heads.map(head => ({ head }))],
    links.map(link => [
      String(link.id),
      link.level,
      stateCell(link),
      timeCell(link.expires_at),
      link.has_password ? 'yes' : '-',
      usedCell(link),
      link.label ?? '-',
      withAddress ? (link.url ?? '-') : pathOf(link),
    ]),
  )
}
