/** Goes to what a text finds. */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { countFilters, isSearchable, readSearch } from '../../lib/data/search.ts'
import { stopSearch, useSearchText } from './search-text.ts'

/** Back to the folder last looked at or, where that has gone, home. */
export function useBackToFiles(): () => void {
  const navigate = useNavigate()
  return () => {
    stopSearch()
    void navigate({ to: '/' })
  }
}

const isSearchPath = (path: string): boolean => path.endsWith('/search')

/** Drops a search that waits as soon as one goes elsewhere than to a search. */
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
 * A text that is too short finds nothing new; an empty one leads from a search back to the files, unless filters are
 * kept there for the next text.
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
      useSearchText.setState({ sent: text.trim() })
      // Filters stay; each next text takes the last one's place in the history.
      void navigate({
        to: '/search',
        search: now => ({ ...(isSearching ? now : {}), q: text.trim() }),
        replace: isSearching,
      })
    }
  }
}
