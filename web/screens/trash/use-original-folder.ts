/** The way from an item in the trash to the folder that it was in. */
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { folderRoute } from '../../items/show-in-folder.ts'
import { itemQuery } from '../../lib/data/metadata.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { showError } from '../../ui/toast.tsx'

/** Returns a function that opens the folder, or says that it is gone too. */
export function useOriginalFolder(): (item: FileItem) => Promise<void> {
  const navigate = useNavigate()
  return async ({ parent_id }) => {
    try {
      if (parent_id !== null) await queryClient.fetchQuery(itemQuery(parent_id))
      await navigate(folderRoute(parent_id))
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404
      showError(isGone ? 'The original folder is no longer there' : messageOf(error, 'Failed to load files'))
    }
  }
}
