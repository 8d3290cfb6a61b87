/** Active files in a real browser: in the app's preview, at their own addresses, and embedded in a page. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../../src/api/files.ts'
import type { FileDetails } from '../../../src/api/items.ts'
import { enter } from '../../e2e/browser.ts'
import { browser, openSite, server } from '../../e2e/site.ts'
import { dialog, press } from '../../e2e/viewer.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../../support/factories.ts'
import { type ActiveFile, drawActiveFiles } from './active-files.ts'

/** A server that counts requests, and sends the control files with their real types. */
let spy: Server
let asked: string[] = []
let controls: Record<string, ActiveFile>
let user: BuiltUser
let folderId: number
let files: FileDetails[]
let page: Page

openSite()

beforeAll(async () => {
  spy = createServer((request, response) => {
    const [type, control] = Object.entries(controls).find(([, { name }]) => request.url === `/${name}`) ?? []
    if (control === undefined) asked.push(request.url ?? '')
    response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(control?.bytes)
  })
  await new Promise<void>(resolve => spy.listen(0, '127.0.0.1', resolve))
  // The spy has another host name, because the page may do more with its own host.
  const drawn = drawActiveFiles(`http://localhost:${(spy.address() as AddressInfo).port}`)
  controls = drawn.controls
  user = await buildUser(server)
  folderId = (await buildFolder(user)).id
  files = []
  for (const { name, bytes } of drawn.files) files.push(await buildFile(user, { name, parent_id: folderId }, bytes))
  page = (await browser.openLasting()).page
  page.on('dialog', shown => shown.dismiss())
  await enter(page, user, `/files/${folderId}`)
})
afterAll(() => {
  spy.closeAllConnections()
  spy.close()
})

/** Expects that nothing reached the spy, and that nothing was created in the account. */
async function expectNoHarm(): Promise<void> {
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  expect((await user.call(listFiles, {})).folders.map(folder => folder.name)).not.toContain('hit')
  expect((await user.call(listFiles, { parent_id: folderId })).total).toBe(files.length)
}

const bytesOf = (id: number) => [`/api/files/${id}/preview`, `/api/files/${id}/download`]

describe('an active file', () => {
  test('does harm when a server sends it with its real type, so these tests would detect it', async () => {
    const { port } = spy.address() as AddressInfo
    for (const { name } of Object.values(controls)) {
      asked = []
      await page.goto(`http://localhost:${port}/${name}`).catch(() => undefined)
      await expect.poll(() => asked.length, { message: name }).toBeGreaterThan(0)
    }
    await page.goto('about:blank')
    asked = []
  })

  test('has headers that prevent a browser from running it, at each of its addresses', async () => {
    const wrong: object[] = []
    const check = async ({ id, name }: FileDetails) => {
      for (const path of [...bytesOf(id), `/api/files/${id}/thumbnail`]) {
        const { status, headers } = await user.raw(path)
        const [type, policy] = [headers.get('content-type') ?? '', headers.get('content-security-policy') ?? '']
        const isHeld = status >= 400 ? policy.includes("default-src 'none'") : policy.startsWith('sandbox')
        const isDownload = /^attachment/.test(headers.get('content-disposition') ?? '')
        const runs = isDownload ? /script|css/ : /html|script|css|xml(?<!svg\+xml)/
        const isSniffed = headers.get('x-content-type-options') !== 'nosniff'
        const isFramed = headers.get('x-frame-options') !== 'DENY'
        const isMissing = path.endsWith('download') && !isDownload
        if (!isHeld || runs.test(type) || isSniffed || isFramed || isMissing)
          wrong.push({ name, path, status, type, policy })
      }
    }
    await Promise.all(files.map(check))
    expect(wrong).toEqual([])
  })

  test('runs nothing and requests nothing in the app’s preview', async () => {
    const { files: listed } = await user.call(listFiles, { parent_id: folderId })
    await page.goto(`/files/${folderId}?preview=${listed[0]?.id}`)
    for (const { name } of listed) {
      await dialog(page, name).waitFor()
      await page.waitForLoadState('networkidle')
      expect({ name, hit: await page.evaluate('window.hit') }).toEqual({ name, hit: undefined })
      await press(page, 'ArrowRight')
    }
    await expectNoHarm()
  })

  test('runs nothing and requests nothing when its own address is opened', async () => {
    for (const { id, name } of files) {
      for (const path of bytesOf(id)) {
        // The driver reports a download as a failed navigation.
        await page.goto(path).catch(() => undefined)
        expect({ name, path, hit: await page.evaluate('window.hit') }).toEqual({ name, path, hit: undefined })
      }
    }
    await expectNoHarm()
  })

  test('has no effect as a script, style sheet or worker of a page on the site', async () => {
    await page.goto(`/files/${folderId}`)
    const addresses = files.flatMap(({ id }) => bytesOf(id))
    await page.evaluate(async list => {
      const put = (tag: string, attributes: Record<string, string>) =>
        new Promise<void>(resolve => {
          const element = Object.assign(document.createElement(tag), attributes)
          element.addEventListener('load', () => resolve())
          element.addEventListener('error', () => resolve())
          document.head.append(element)
        })
      const putEverywhere = (url: string) => [
        put('script', { src: url }),
        put('script', { src: `${url}?`, type: 'module' }),
        put('link', { rel: 'stylesheet', href: url }),
        new Promise<void>(resolve => {
          const worker = new Worker(url)
          worker.addEventListener('error', () => resolve())
          worker.addEventListener('message', () => resolve())
        }),
      ]
      for (let start = 0; start < list.length; start += 8) {
        await Promise.all(list.slice(start, start + 8).flatMap(putEverywhere))
      }
    }, addresses)
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundImage)).toBe('none')
    await expectNoHarm()
  })
})
