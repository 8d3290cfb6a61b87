/** The heading of a search, with the number of results. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { maxCountedHits } from '../../../src/api/limits.ts'
import type { SearchParams } from '../../lib/data/search.ts'
import { tagsQuery } from '../../lib/data/tags.ts'
import { useMay } from '../../lib/server/permissions.ts'
import styles from './search-heading.module.css'
import { SearchScope } from './search-scope.tsx'

export interface Found {
  count: number
  /** Whether the count is exact; otherwise there are more. */
  isExact: boolean
}

function messageOf(q: string, tag: string | undefined, { count, isExact }: Found): string {
  const number = `${count.toLocaleString('en-US')}${isExact ? '' : '+'}`
  if (q !== '') {
    return count === 0
      ? `No results found for "${q}"`
      : `Found ${number} ${count === 1 ? 'result' : 'results'} for "${q}"`
  }
  const withTag = tag === undefined ? 'this tag' : `the tag "${tag}"`
  return count === 0 ? `No files have ${withTag}` : `Found ${number} ${count === 1 ? 'file' : 'files'} with ${withTag}`
}

interface SearchHeadingProps {
  params: SearchParams
  /** Null while it is unknown. */
  found: Found | null
  /** At the end of the row. */
  children: ReactNode
}

export function SearchHeading({ params, found, children }: SearchHeadingProps) {
  const { q, tag_id, sort } = params
  const { data: tags, isLoading } = useQuery({ ...tagsQuery, enabled: useMay('tags:read') && tag_id !== undefined })
  const words = found === null || isLoading ? '' : messageOf(q, tags?.find(({ id }) => id === tag_id)?.name, found)
  const isPart = sort !== undefined && found?.isExact === false
  const message = isPart ? `${words}. The newest ${maxCountedHits.toLocaleString('en-US')} are sorted` : words
  return (
    <div className={styles.row}>
      <h1 className={styles.title}>Search Results</h1>
      <p className={styles.message} role="status" title={message}>
        {message}
      </p>
      <SearchScope folderId={params.in} />
      {children}
    </div>
  )
}
