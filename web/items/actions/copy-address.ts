/** The web address that opens an item. */
import type { FileItem } from '../../../src/api/items.ts'
import { copyText } from '../../lib/local/copy-text.ts'
import { showToast } from '../../ui/toast.tsx'

type Addressed = Pick<FileItem, 'id' | 'is_directory'>

/** The address from the product's base on: `view/3` or `files/3`. */
export const pathOf = ({ id, is_directory }: Addressed): string => `${is_directory ? 'files' : 'view'}/${id}`

/** The absolute address: of a folder its listing, of a file a page of its own. */
export const addressOf = (item: Addressed): string => new URL(pathOf(item), document.baseURI).href

/** Copies the address, and says so. */
export async function copyAddress(item: Addressed): Promise<void> {
  if (await copyText(addressOf(item))) showToast({ tone: 'success', message: 'Address copied' })
}
