/** Many small files dropped on the page, beside a plain client that sends as many at once. */
import type { Page } from 'playwright-core'
import { createFolder, listFiles } from '../../src/api/files.ts'
import { enter, launchBrowser } from '../e2e/browser.ts'
import { type Client, sendBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { password, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const fileSize = 10 * 1024
/** As many as the page sends at once. */
const lanes = 6

let folders = 0

/** An empty folder's id. */
async function makeFolder(client: Client): Promise<number> {
  folders += 1
  return (await client.call(createFolder, { name: `Folder ${folders}`, parent_id: null })).file.id
}

async function checkAll(client: Client, folderId: number, count: number): Promise<void> {
  const { total } = await client.call(listFiles, { parent_id: folderId, limit: 1 })
  if (total !== count) throw new Error(`of ${count} files ${total} arrived`)
}

/** Files a second from the drop until the tray says that all have arrived. */
async function dropOnce(page: Page, client: Client, count: number): Promise<number> {
  const folderId = await makeFolder(client)
  await page.goto(`/files/${folderId}`)
  await page.getByText('This folder is empty').waitFor()
  const dataTransfer = await page.evaluateHandle(
    ([files = 0, size = 0]) => {
      const transfer = new DataTransfer()
      for (let index = 0; index < files; index++) {
        const bytes = crypto.getRandomValues(new Uint8Array(size))
        transfer.items.add(new File([bytes], `file ${index}.bin`, { type: 'application/octet-stream' }))
      }
      return transfer
    },
    [count, fileSize],
  )
  const ms = await timed(async () => {
    await page.getByRole('main').dispatchEvent('drop', { dataTransfer })
    await page.getByRole('heading', { name: 'Upload complete' }).waitFor({ timeout: 600_000 })
  })
  await checkAll(client, folderId, count)
  return (count / ms) * 1000
}

/** Files a second of the same size and number from a client that draws nothing. */
async function sendOnce(client: Client, count: number): Promise<number> {
  let next = 0
  const lane = async () => {
    while (next < count) {
      next += 1
      await sendBytes(client, '/api/files/upload', `file ${folders} ${next}.bin`, fileSize)
    }
  }
  folders += 1
  return (count / (await timed(() => Promise.all(Array.from({ length: lanes }, lane))))) * 1000
}

export async function measurePageUploads({ mariadbUrl, isQuick }: Measuring): Promise<Row[]> {
  const count = isQuick ? 100 : 1_000
  const [page, plain] = await withPlace(mariadbUrl, place =>
    withProduct(place, async client => {
      const browser = await launchBrowser({ url: client.url })
      const { page } = await browser.openLasting()
      await enter(page, { username: 'admin', password })
      // Unmeasured: the first requests find code that is not compiled yet.
      await dropOnce(page, client, 100)
      const samples = await interleave(isQuick ? 2 : 5, [
        () => dropOnce(page, client, count),
        () => sendOnce(client, count),
      ])
      await browser.close()
      return samples
    }),
  )
  return [
    {
      name: `${count.toLocaleString('en')} files of 10 KiB dropped on the page`,
      unit: 'files/s',
      value: summarize(page),
      reference: { name: 'plain client', figures: summarize(plain) },
      bound: { of: 'median', side: 'at least', limit: 300 },
    },
  ]
}
