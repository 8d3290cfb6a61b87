/** Downloads by the browser itself, so that a file of any size streams to disk. */
import type { FileItem } from '../../src/api/items.ts'
import { noteStatus } from './call.ts'
import { apiUrl } from './config.ts'

/** Milliseconds between two downloads of a bulk download: browsers drop clicks that come too fast. */
const bulkPause = 100

/** Asks first whether the file can be had: a download that the browser started reports no failure to the page. */
export async function downloadItem(item: FileItem): Promise<void> {
  const url = apiUrl(`/files/${item.id}/download`)
  const answer = await fetch(url, { method: 'HEAD', credentials: 'include' })
  noteStatus(answer.status)
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const link = document.createElement('a')
  link.href = url
  link.download = item.name
  link.click()
}

export async function downloadItems(items: readonly FileItem[]): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0) await new Promise(resolve => setTimeout(resolve, bulkPause))
    await downloadItem(item)
  }
}
