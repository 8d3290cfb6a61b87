/** Downloads through the browser itself, so that a file of any size streams to disk. */
import { getProfile } from '../../../src/api/auth.ts'
import { readAnswer, requestOf } from '../../../src/api/client.ts'
import { archiveItems } from '../../../src/api/content.ts'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { exportAudit } from '../../../src/api/events.ts'
import { listFiles } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { showError } from '../../ui/toast.tsx'
import { type Outcome, oneByOne } from '../data/batch.ts'
import { waitForReturn } from '../server/auth-store.ts'
import { call, noteStatus } from '../server/call.ts'
import { apiUrl, itemUrl } from '../server/config.ts'
import { saveAs, submitForm } from './native-download.ts'

/** The most files that are downloaded one by one; browsers ask about each of many downloads, or block them. */
export const maxSeparateDownloads = 5
/** Milliseconds between two files of a bulk download: browsers drop clicks that follow too fast. */
const bulkPause = 100

/** Saves the response of an address. A HEAD comes first: a browser's own download reports no failure to the page. */
async function save(url: string, name: string): Promise<void> {
  const answer = await fetch(url, { method: 'HEAD', credentials: 'include' })
  noteStatus(answer.status)
  if (answer.status === 401 && (await waitForReturn())) return save(url, name)
  if (!answer.ok) return refuse(url, answer.status)
  saveAs(url, name)
}

/** Throws the reason for a refusal. A HEAD's answer has only a status, so a GET asks for the sentence. */
async function refuse(url: string, status: number): Promise<void> {
  const answer = await fetch(url, { credentials: 'include' })
  if (answer.ok) void answer.body?.cancel()
  readAnswer({ status, text: answer.ok ? '' : await answer.text() })
}

/** The address that downloads a file's bytes. */
export const downloadUrl = (id: number): string => itemUrl(id, 'download')

export const downloadItem = ({ id, name }: Pick<FileItem, 'id' | 'name'>): Promise<void> => save(downloadUrl(id), name)

/** Saves files, one after the other. Never throws. */
export const downloadItems = (items: readonly FileItem[]): Promise<Outcome> =>
  oneByOne(items, async (item, index) => {
    if (index > 0) await new Promise(resolve => setTimeout(resolve, bulkPause))
    await downloadItem(item)
    return item
  })

/** The folder whose contents are exactly these items; null if there is none with a ZIP file of its own. */
export async function findWholeFolder(items: readonly FileItem[]): Promise<FileItem | null> {
  const parentId = items[0]?.parent_id ?? null
  if (parentId === null || items.some(({ parent_id }) => parent_id !== parentId)) return null
  const { folder, total } = await call(listFiles, { parent_id: parentId, limit: 1 })
  return total === items.length ? folder : null
}

/** Saves items as one ZIP file, folders with their contents; at most `maxBatchSize`. */
export async function downloadArchive(items: readonly FileItem[]): Promise<void> {
  const [only] = items
  if (only?.is_directory && items.length === 1) {
    return save(apiUrl(`/files/${only.id}/archive`), `${only.name}.zip`)
  }
  // A form submission cannot wait for the user to sign in again, so find out first whether the session is valid.
  await call(getProfile, {})
  submitForm(
    apiUrl(archiveItems.path),
    items.map(({ id }) => ['ids', String(id)]),
    () => showError('Bulk download failed. The server refused it.'),
  )
}

/** Saves the audit log, up to the export's limit. */
export const downloadAudit = (filters: InputOf<typeof exportAudit>): Promise<void> =>
  save(apiUrl(requestOf(exportAudit, filters).url), 'filestore-audit.csv')
