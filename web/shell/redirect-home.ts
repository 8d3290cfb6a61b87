/** What the start of the product shows: the folder that was open last, or the first section that the user may see. */
import { redirect } from '@tanstack/react-router'
import { ApiError } from '../../src/api/client.ts'
import { folderQuery } from '../lib/data/folders.ts'
import { rememberedFolder, rememberFolder } from '../lib/local/remembered-folder.ts'
import { sortingNow } from '../lib/local/sorting.ts'
import { useAuth } from '../lib/server/auth-store.ts'
import { queryClient } from '../lib/server/query-client.ts'
import { sectionsFor } from './sections.ts'

/** Whether the remembered folder can be shown: it may be deleted, or belong to another user. */
async function folderExists(folderId: number): Promise<boolean> {
  try {
    await queryClient.fetchInfiniteQuery(folderQuery(folderId, sortingNow()))
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) return true
    rememberFolder(null)
    return false
  }
}

/** Throws the redirect from `/`. */
export async function redirectHome(): Promise<never> {
  const [first] = sectionsFor(useAuth.getState().user?.permissions ?? [])
  if (first?.label !== 'Files') throw redirect({ to: first?.to ?? '/account', replace: true })
  const folderId = rememberedFolder()
  if (folderId === null || !(await folderExists(folderId))) throw redirect({ to: '/files/{-$folderId}', replace: true })
  throw redirect({ to: '/files/{-$folderId}', params: { folderId: String(folderId) }, replace: true })
}
