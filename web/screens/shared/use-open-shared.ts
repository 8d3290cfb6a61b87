/** Opens an item of a list of shares: a folder on the files screen, a file in the preview over the list. */
import { useNavigate } from '@tanstack/react-router'
import type { FileItem } from '../../../src/api/items.ts'
import { folderRoute } from '../../items/show-in-folder.ts'
import { openPreview } from '../../lib/local/preview.ts'

export function useOpenShared(listed: readonly FileItem[]): (item: FileItem) => void {
  const navigate = useNavigate()
  return item => (item.is_directory ? void navigate(folderRoute(item.id)) : openPreview(item, listed))
}
