/** What stands in the place of results. */
import { Button } from '@mantine/core'
import { minSearchLength } from '../../../src/api/limits.ts'
import type { SearchFilters, SearchParams } from '../../lib/search.ts'
import { SearchDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { filterWords } from './filter-words.ts'
import { noFilters } from './no-filters.ts'
import styles from './nothing-found.module.css'

interface NothingFoundProps {
  /** Whether the text is long enough to be searched for. */
  isAsked: boolean
  /** Whether the answer has come. */
  isKnown: boolean
  params: SearchParams
  onFilter: (change: SearchFilters) => void
}

export function NothingFound({ isAsked, isKnown, params, onFilter }: NothingFoundProps) {
  const filters = filterWords(params)
  const kept = filters.length === 0 ? undefined : `Filters in force: ${filters.join(', ')}.`
  if (!isAsked) {
    return (
      <EmptyState
        drawing={<SearchDrawing />}
        title="Search all your files and folders"
        sentence={`Type at least ${minSearchLength} characters of a name.`}
        more={kept}
      />
    )
  }
  if (!isKnown) return <div className={styles.blank} />
  return (
    <EmptyState
      drawing={<SearchDrawing />}
      title="No files found"
      sentence="Try searching with different keywords"
      more={kept}
    >
      {filters.length > 0 && (
        <Button variant="default" onClick={() => onFilter(noFilters)}>
          Clear filters
        </Button>
      )}
    </EmptyState>
  )
}
