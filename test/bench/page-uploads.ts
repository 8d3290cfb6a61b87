/** Many small files dropped on the page, compared with a plain client that sends each by itself, as many at once. */

import { login } from '../../src/api/auth.ts'
import { createFolder, listFiles } from '../../src/api/files.ts'
import { type BareBrowser, openBareBrowser } from './bare-browser.ts'
import { type Client, sendBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { password, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const fileSize = 10 * 1024
/** The number of requests that the page sends at once. */
const lanes = 6

let folders = 0

/** Makes an empty folder and returns its id. */
async function makeFolder(client: Client): Promise<number> {
  folders += 1
  return (await client.call(createFolder, { name: `Folder ${folders}`, parent_id: null })).file.id
}

async function checkAll(client: Client, folderId: number, count: number): Promise<void> {
  const { total } = await client.call(listFiles, { parent_id: folderId, limit: 1 })
  if (total !== count) throw new Error(`of ${count} files ${total} arrived`)
}

const isShown = (text: string): string => `document.body.innerText.includes(${JSON.stringify(text)})`

/** Files per second from the drop until the tray says that all are uploaded. */
async function dropOnce({ run, until }: BareBrowser, client: Client, count: number): Promise<number> {
  const folderId = await makeFolder(client)
  await run(`location.assign('/files/${folderId}')`)
  await until(`location.pathname === '/files/${folderId}' && ${isShown('This folder is empty')}`)
  const ms = await run<number>(`(async () => {
    const transfer = new DataTransfer()
    for (let index = 0; index < ${count}; index++) {
      const bytes = crypto.getRandomValues(new Uint8Array(${fileSize}))
      transfer.items.add(new File([bytes], 'file ' + index + '.bin', { type: 'application/octet-stream' }))
    }
    const start = performance.now()
    const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
    document.querySelector('main').dispatchEvent(drop)
    await new Promise(resolve => {
      const title = () => document.querySelector('[aria-label="Uploads"] h2')?.textContent ?? ''
      const look = () => (title().includes('Upload complete') ? resolve() : setTimeout(look, 20))
      look()
    })
    return performance.now() - start
  })()`)
  await checkAll(client, folderId, count)
  return (count / ms) * 1000
}

/** Files per second of the same size and number from a client without a page. */
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

export async function measurePageUploads(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 100 : 1_000
  const [page, plain] = await withPlace(measuring, place =>
    withProduct(place, async client => {
      const browser = await openBareBrowser(client.url)
      const account = JSON.stringify(JSON.stringify({ username: 'admin', password }))
      const json = "{ 'content-type': 'application/json' }"
      await browser.until(`location.origin === ${JSON.stringify(client.url)} && document.readyState === 'complete'`)
      await browser.run(`fetch('/api${login.path}', { method: 'POST', headers: ${json}, body: ${account} })`)
      // Warm-up: the first requests compile code.
      await dropOnce(browser, client, 100)
      const samples = await interleave(isQuick ? 2 : 5, [
        () => dropOnce(browser, client, count),
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
      bound: { of: 'median', side: 'at least', limit: 800 },
    },
  ]
}
