/** Downloads of a link's files, by the browser itself. */
import { ApiError, readRetryAfter, requestOf } from '../../src/api/client.ts'
import { maxBatchSize } from '../../src/api/limits.ts'
import {
  archiveLinkFolder,
  archiveLinkItems,
  downloadLink,
  getLinkFile,
  type VisitorItem,
} from '../../src/api/visits.ts'
import { saveAs, submitForm } from '../lib/local/native-download.ts'
import { apiUrl, itemUrl } from '../lib/server/config.ts'
import { reasonOf } from '../lib/server/reason-of.ts'
import { confirmLink, countDownload } from './link.ts'
import { call, patiently, token } from './link-calls.ts'
import { dismissProblem, showProblem } from './problem.ts'

const failure = 'Download failed'

/** Asks without reading bytes, which would count as a download: the browser's own download reports no failure. */
async function check(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'HEAD' })
  if (answer.ok) return
  const retryAfter = readRetryAfter(answer.headers.get('Retry-After'))
  throw new ApiError(answer.status, 'The server refused it.', { retryAfter })
}

/** The addresses that this page has downloaded: the server counts each once. */
const counted = new Set<string>()

async function attempt(url: string, work: () => Promise<void>): Promise<void> {
  dismissProblem()
  try {
    await work()
    if (!counted.has(url)) countDownload()
    counted.add(url)
  } catch (error) {
    if (await confirmLink(error)) showProblem(failure, reasonOf(error))
  }
}

const save = (url: string, name: string): void =>
  void attempt(url, async () => {
    await patiently(() => check(url))
    saveAs(url, name)
  })

/** Saves the file of the link, or its folder as a ZIP file. */
export const saveWhole = (name: string): void => save(apiUrl(requestOf(downloadLink, { token }).url), name)

/** Saves a file, or a folder as a ZIP file. */
export function saveItem({ id, name, is_directory }: Pick<VisitorItem, 'id' | 'name' | 'is_directory'>): void {
  if (is_directory) save(apiUrl(requestOf(archiveLinkFolder, { token, id }).url), `${name}.zip`)
  else save(itemUrl(id, 'download'), name)
}

/** Saves several items as one ZIP file. */
export function saveItems(items: readonly VisitorItem[]): void {
  const [first] = items
  if (first === undefined) return
  if (items.length === 1) saveItem(first)
  else if (items.length <= maxBatchSize) saveArchive(first, items)
  else {
    const most = maxBatchSize.toLocaleString('en-US')
    showProblem(failure, `Select at most ${most} items, or download the whole folder.`)
  }
}

function saveArchive(first: VisitorItem, items: readonly VisitorItem[]): void {
  const fields = items.map(({ id }): [string, string] => ['ids', String(id)])
  void attempt(fields.join(), async () => {
    // A form's answer cannot be read, so ask first whether the link still works.
    await call(getLinkFile, { token, id: first.id })
    submitForm(apiUrl(requestOf(archiveLinkItems, { token, ids: [] }).url), fields, () =>
      showProblem(failure, 'The server refused it.'),
    )
  })
}
