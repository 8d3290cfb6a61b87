/** Downloads by the browser itself, so that a file of any size streams to disk. */
import { archiveItems } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { waitForReturn } from './auth-store.ts'
import { noteStatus } from './call.ts'
import { apiUrl } from './config.ts'

/** Milliseconds between two downloads of a bulk download: browsers drop clicks that come too fast. */
const bulkPause = 100

/** Saves what an address answers; asks first, since a download that the browser started reports no failure to the page. */
async function save(url: string, name: string): Promise<void> {
  const answer = await fetch(url, { method: 'HEAD', credentials: 'include' })
  noteStatus(answer.status)
  if (answer.status === 401 && (await waitForReturn())) return save(url, name)
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Where a file's bytes are, to be saved. */
export const downloadUrl = (id: number): string => apiUrl(`/files/${id}/download`)

export const downloadItem = ({ id, name }: Pick<FileItem, 'id' | 'name'>): Promise<void> => save(downloadUrl(id), name)

export async function downloadItems(items: readonly FileItem[]): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0) await new Promise(resolve => setTimeout(resolve, bulkPause))
    await downloadItem(item)
  }
}

/** Saves items as one ZIP file, folders with all below them; at most `maxBatchSize`. */
export async function downloadArchive(items: readonly FileItem[]): Promise<void> {
  const [only] = items
  if (only?.is_directory && items.length === 1) {
    return save(apiUrl(`/files/${only.id}/archive`), `${only.name}.zip`)
  }
  await submitForm(
    apiUrl(archiveItems.path),
    items.map(({ id }) => ['ids', String(id)]),
  )
}

/** Milliseconds after which a form that was answered by no page is taken to have started its download. */
const answerTime = 3_000

/** A form sent into a frame nobody sees: an answer that is saved loads no page there, one that refuses does. */
function submitForm(action: string, fields: [name: string, value: string][]): Promise<void> {
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
  return new Promise<void>((resolve, reject) => {
    const started = setTimeout(resolve, answerTime)
    frame.onload = () => {
      clearTimeout(started)
      reject(new Error('The server refused the download'))
    }
    form.submit()
  }).finally(() => {
    form.remove()
    // Removing the frame of a download that runs would end it in some browsers.
    setTimeout(() => frame.remove(), 60_000)
  })
}
