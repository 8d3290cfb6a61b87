/** Shown when a search has no results. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { minSearchLength } from '../../../src/api/limits.ts'
import { uploadFieldsQuery } from '../../lib/data/metadata.ts'
import { countFilters, type SearchFilters, type SearchParams } from '../../lib/data/search.ts'
import { tagsQuery } from '../../lib/data/tags.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { SearchDrawing, TagDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { filterWords } from './filter-words.ts'
import { noFilters } from './no-filters.ts'
import styles from './nothing-found.module.css'

interface NothingFoundProps {
  /** Whether the text is long enough to search. */
  isAsked: boolean
  /** Whether the answer has arrived. */
  isKnown: boolean
  params: SearchParams
  onFilter: (change: SearchFilters) => void
}

export function NothingFound({ isAsked, isKnown, params, onFilter }: NothingFoundProps) {
  const isFiltered = countFilters(params) > 0
  const kept = isFiltered && <FiltersInForce params={params} />
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
  if (params.q.trim() === '' && countFilters(params) === 1) {
    return (
      <EmptyState
        drawing={<TagDrawing />}
        title="No files have this tag"
        sentence="Choose Manage Tags in a file's menu to put it on files."
      />
    )
  }
  return (
    <EmptyState
      drawing={<SearchDrawing />}
      title="No files found"
      sentence="Try searching with different keywords"
      more={kept}
    >
      {isFiltered && (
        <Button variant="default" onClick={() => onFilter(noFilters)}>
          Clear filters
        </Button>
      )}
    </EmptyState>
  )
}

function FiltersInForce({ params }: { params: SearchParams }) {
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled: useMay('tags:read') })
  const { data: fields = [] } = useQuery({ ...uploadFieldsQuery(null), enabled: useMay('files:upload') })
  return (
    <>
      Filters in force:{' '}
      {filterWords(params, { tags, fields }).map(({ words, value }, index) => (
        <Fragment key={words}>
          {index > 0 && ', '}
          <bdi>{words}</bdi>
          {value !== undefined && (
            <>
              {' '}
              <bdi>{value}</bdi>
            </>
          )}
        </Fragment>
      ))}
      .
    </>
  )
}
