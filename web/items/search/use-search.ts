/** Navigates to the results for a text. */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSearchable } from '../../../src/api/search-text.ts'
import { knownFolder } from '../../lib/data/folders.ts'
import { countFilters, readSearch } from '../../lib/data/search.ts'
import { stopSearch, useSearchText } from './search-text.ts'

/** Goes back to the last folder viewed or, if it is gone, to Home. */
export function useBackToFiles(): () => void {
  const navigate = useNavigate()
  return () => {
    stopSearch()
    void navigate({ to: '/' })
  }
}

/** The folder that a search from an address is limited to: one in a place other than the own tree. */
export function scopeOf(path: string): number | undefined {
  const id = Number(/\/files\/(\d+)$/.exec(path)?.[1])
  return knownFolder(id)?.place ? id : undefined
}

const isSearchPath = (path: string): boolean => path.endsWith('/search')

/** Cancels a pending search when the user navigates anywhere but to a search. */
export function useSearchStop(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
        if (pathChanged && !isSearchPath(toLocation.pathname)) stopSearch()
      }),
    [router],
  )
}

/**
 * A text that is too short keeps the old results. An empty one goes back from a search to the files, unless filters are
 * set, which stay for the next text.
 */
export function useSearch(): (text: string) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const leave = useBackToFiles()
  return text => {
    const isSearching = isSearchPath(router.state.location.pathname)
    stopSearch()
    if (text.trim() === '') {
      useSearchText.setState({ sent: '' })
      if (isSearching && countFilters(readSearch(router.state.location.search)) > 0) {
        void navigate({ to: '/search', search: now => ({ ...now, q: '' }), replace: true })
      } else if (isSearching) leave()
    } else if (isSearchable(text)) {
      const scope = scopeOf(router.state.location.pathname)
      useSearchText.setState({ sent: text.trim() })
      // Keep the filters. Each further text replaces the last one in the history.
      void navigate({
        to: '/search',
        search: now => ({ ...(isSearching ? now : { in: scope }), q: text.trim() }),
        replace: isSearching,
      })
    }
  }
}
