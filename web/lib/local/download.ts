/** Downloads by the browser itself, so that a file of any size streams to disk. */
import { getProfile } from '../../../src/api/auth.ts'
import { readAnswer, requestOf } from '../../../src/api/client.ts'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { exportAudit } from '../../../src/api/events.ts'
import { archiveItems } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { showError } from '../../ui/toast.tsx'
import { type Outcome, oneByOne } from '../data/batch.ts'
import { waitForReturn } from '../server/auth-store.ts'
import { call, noteStatus } from '../server/call.ts'
import { apiUrl } from '../server/config.ts'

/** Milliseconds between two downloads of a bulk download: browsers drop clicks that come too fast. */
const bulkPause = 100

/** Saves what an address answers; asks first, since a download that the browser started reports no failure to the page. */
async function save(url: string, name: string): Promise<void> {
  const answer = await fetch(url, { method: 'HEAD', credentials: 'include' })
  noteStatus(answer.status)
  if (answer.status === 401 && (await waitForReturn())) return save(url, name)
  if (!answer.ok) return refuse(url, answer.status)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Throws why there is nothing to save: the answer to a HEAD has the status alone, that to a GET a sentence too. */
async function refuse(url: string, status: number): Promise<void> {
  const answer = await fetch(url, { credentials: 'include' })
  if (answer.ok) void answer.body?.cancel()
  readAnswer({ status, text: answer.ok ? '' : await answer.text() })
}

/** Where a file's bytes are, to be saved. */
export const downloadUrl = (id: number): string => apiUrl(`/files/${id}/download`)

export const downloadItem = ({ id, name }: Pick<FileItem, 'id' | 'name'>): Promise<void> => save(downloadUrl(id), name)

/** Saves files, one after the other. Never throws. */
export const downloadItems = (items: readonly FileItem[]): Promise<Outcome> =>
  oneByOne(items, async (item, index) => {
    if (index > 0) await new Promise(resolve => setTimeout(resolve, bulkPause))
    await downloadItem(item)
    return item
  })

/** Saves items as one ZIP file, folders with all below them; at most `maxBatchSize`. */
export async function downloadArchive(items: readonly FileItem[]): Promise<void> {
  const [only] = items
  if (only?.is_directory && items.length === 1) {
    return save(apiUrl(`/files/${only.id}/archive`), `${only.name}.zip`)
  }
  // What the browser sends by itself cannot wait for a session to begin again.
  await call(getProfile, {})
  submitForm(
    apiUrl(archiveItems.path),
    items.map(({ id }) => ['ids', String(id)]),
  )
}

/** Saves the audit log, or what of it fits. */
export const downloadAudit = (filters: InputOf<typeof exportAudit>): Promise<void> =>
  save(apiUrl(requestOf(exportAudit, filters).url), 'filestore-audit.csv')

/** Milliseconds that a form's frame stays: removing that of a download that runs would end it in some browsers. */
const frameStay = 60_000

/**
 * A form sent into a frame nobody sees: an answer that is saved loads no page there, one that refuses does. No page may
 * read that one; it is told whenever it comes.
 */
function submitForm(action: string, fields: [name: string, value: string][]): void {
  const frame = document.createElement('iframe')
  frame.name = `download-${Date.now()}`
  frame.hidden = true
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  form.target = frame.name
  form.hidden = true
  for (const [name, value] of fields) {
    const input = document.createElement('input')
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(frame, form)
  frame.onload = () => {
    // Some browsers tell of the empty page that every frame begins with.
    if (frame.contentDocument?.URL !== 'about:blank') showError('Bulk download failed. The server refused it.')
  }
  form.submit()
  form.remove()
  setTimeout(() => frame.remove(), frameStay)
}
