/** Whether the visitor is signed in and has access to the item anyway: then it can be opened in filestore itself. */
import { useEffect, useState } from 'react'
import { apiUrl, basePath } from '../lib/server/config.ts'
import { authStorage } from '../lib/server/first-calls.ts'

/** Whether somebody has signed in with this browser. Others are not asked about, so that nothing is logged for them. */
function isSignedIn(): boolean {
  try {
    return JSON.parse(localStorage.getItem(authStorage) ?? '{}').state?.isAuthenticated === true
  } catch {
    return false
  }
}

/** The address in filestore; null where there is none. */
export function useOwnAddress(id: number | null, isFile: boolean): string | null {
  const [found, setFound] = useState<number | null>(null)
  useEffect(() => {
    if (id === null || !isSignedIn()) return
    fetch(apiUrl(`/files/${id}`))
      .then(({ ok }) => setFound(ok ? id : null))
      .catch(() => undefined)
  }, [id])
  return found !== null && found === id ? `${basePath}${isFile ? 'view' : 'files'}/${id}` : null
}
