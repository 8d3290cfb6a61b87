/** Copies a link's address, and says so. */
import { copyText } from '../../../lib/local/copy-text.ts'
import { showToast } from '../../../ui/toast.tsx'
import { linkAddress } from './link-address.ts'

export async function copyLink(url: string): Promise<void> {
  if (await copyText(linkAddress(url))) showToast({ tone: 'success', message: 'Link copied' })
}
