/** Goes to what a text finds. */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { rememberedFolder } from '../../lib/remembered-folder.ts'
import { isSearchable } from '../../lib/search.ts'
import { stopSearch, useSearchText } from './search-text.ts'

/** Back to the folder last looked at. */
export function useBackToFiles(): () => void {
  const navigate = useNavigate()
  return () => {
    const folderId = rememberedFolder()
    stopSearch()
    void navigate({ to: '/files/{-$folderId}', params: { folderId: folderId === null ? undefined : String(folderId) } })
  }
}

/** A text that is too short finds nothing new; an empty one leads from a search back to the files. */
export function useSearch(): (text: string) => void {
  const navigate = useNavigate()
  const router = useRouter()
  const leave = useBackToFiles()
  return text => {
    const isSearching = router.state.location.pathname.endsWith('/search')
    stopSearch()
    if (text.trim() === '') {
      useSearchText.setState({ sent: '' })
      if (isSearching) leave()
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
