/** Helpers for tests of uploads: files to upload, ways to give them to the page, and the parts of the tray. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page, Route } from 'playwright-core'
import { onTestFinished } from 'vitest'

interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const textFile = (name: string, text = 'some words'): GivenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})

/**
 * Returns the path of a new file of random bytes. The browser reads it itself: bytes that a test hands over go through
 * the page's own connections, which takes seconds for megabytes while its uploads are slowed down.
 */
export function largeFile(name: string, bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'filestore-upload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, name)
  writeFileSync(path, randomBytes(bytes))
  return path
}

export const tray = (page: Page): Locator => page.getByRole('region', { name: 'Uploads' })
export const uploadRow = (page: Page, name: string): Locator => tray(page).getByRole('group', { name, exact: true })

/** Limits the page's upload speed to this many bytes a second; -1 removes the limit. */
export async function slowDown(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }
  await session.send('Network.emulateNetworkConditions', line)
}

/** Holds requests to an address until the returned function is called. Then they continue, or `then` handles them. */
export async function holdCalls(
  page: Page,
  address: string,
  then = (route: Route): Promise<void> => route.continue(),
): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(address, async route => {
    await held
    await then(route)
  })
  return letGo
}

/** Drops files, made in the page, anywhere on the window: each has a name, and a text or a number of bytes. */
export async function dropFiles(
  page: Page,
  files: readonly (readonly [name: string, content: string | number])[],
): Promise<void> {
  const dataTransfer = await page.evaluateHandle(given => {
    const transfer = new DataTransfer()
    for (const [name, content] of given) {
      const bytes = typeof content === 'string' ? content : new Uint8Array(content)
      transfer.items.add(new File([bytes], name, { type: 'text/plain' }))
    }
    return transfer
  }, files)
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer })
}

/** Drops files and folders of the disk in the middle of the window, as a desktop does. */
export async function dropPaths(page: Page, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data })
    if (type === 'dragOver') await page.locator('main[data-over]').waitFor()
  }
}
