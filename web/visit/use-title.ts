/** The title of the browser's tab. The server has written one, so a second element would have no effect. */
import { useEffect } from 'react'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · filestore`
  }, [title])
}
