/** What stands in the place of results. */
import { Button } from '@mantine/core'
import { minSearchLength } from '../../../src/api/limits.ts'
import type { SearchFilters } from '../../lib/search.ts'
import { SearchDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { noFilters } from './no-filters.ts'
import styles from './nothing-found.module.css'

interface NothingFoundProps {
  /** Whether the text is long enough to be searched for. */
  isAsked: boolean
  /** Whether the answer has come. */
  isKnown: boolean
  /** How many filters are in force. */
  filters: number
  onFilter: (change: SearchFilters) => void
}

export function NothingFound({ isAsked, isKnown, filters, onFilter }: NothingFoundProps) {
  if (!isAsked) {
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="Search all your files and folders"
        sentence={`Type at least ${minSearchLength} characters of a name.`}
      />
    )
  }
  if (!isKnown) return <div className={styles.blank} />
  return (
    <EmptyState drawing={<SearchDrawing />} title="No files found" sentence="Try searching with different keywords">
      {filters > 0 && (
        <Button variant="default" onClick={() => onFilter(noFilters)}>
          Clear filters
        </Button>
      )}
    </EmptyState>
  )
}
