/** Copies the web address that opens an item. */
import { type Addressed, addressOf as addressFrom } from '../../../src/api/item-address.ts'
import { copyText } from '../../lib/local/copy-text.ts'
import { showToast } from '../../ui/toast.tsx'

/** The absolute address: of a folder its listing, of a file a page of its own. */
export const addressOf = (item: Addressed): string => addressFrom(document.baseURI, item)

/** Copies the address, and says so. */
export async function copyAddress(item: Addressed): Promise<void> {
  if (await copyText(addressOf(item))) showToast({ tone: 'success', message: 'Address copied' })
}
