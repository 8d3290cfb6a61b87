/** A file that no printer shows, on paper: what is known of it. */
import { kindLabel } from '../../src/api/kinds.ts'
import { formatFullDate } from '../lib/words/format-date.ts'
import { formatSize } from '../lib/words/format-size.ts'
import { PrintedHead } from '../ui/print/printed-head.tsx'
import { Printout } from '../ui/print/printout.tsx'
import type { ViewedFile } from './viewed-file.ts'

export const PrintedFacts = ({ item }: { item: ViewedFile }) => (
  <Printout isOver>
    {() => (
      <PrintedHead
        title={item.name}
        words={`${kindLabel(item)} · ${formatSize(item.size)} · ${formatFullDate(item.updated_at)} · ${item.path}`}
      />
    )}
  </Printout>
)
