/** Links hold against what was done to links of other products; the comments name the advisories. */
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { updateLink } from '../../src/api/links.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser, disableUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

describe('a password', () => {
  test('is guessed ten times, and then not even the right one opens the link for a while', async () => {
    const { token } = await buildLink(user, await buildFile(user), { password: 'open sesame' })
    const visitor = openVisitor(server.url, token)
    for (let tries = 0; tries < 10; tries++)
      expect((await visitor.post('/unlock', { password: `no ${tries}` })).status).toBe(401)
    const refused = await visitor.post('/unlock', { password: 'open sesame' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    const other = await buildLink(user, await buildFile(user), { password: 'open sesame' })
    expect((await openVisitor(server.url, other.token).post('/unlock', { password: 'open sesame' })).status).toBe(200)
  })

  test('begins a new visit each time, so that nobody can plant one (CVE-2018-16463)', async () => {
    const { token } = await buildLink(user, await buildFile(user), { password: 'open sesame' })
    const planted = `filestore_link=${'p'.repeat(43)}`
    const visitor = openVisitor(server.url, token, planted)
    expect((await visitor.post('/unlock', { password: 'open sesame' })).status).toBe(200)
    expect(visitor.cookie()).not.toBe(planted)
    expect((await openVisitor(server.url, token, planted).raw('/download')).status).toBe(401)
  })
})

describe('unknown addresses', () => {
  test('get 429 after sixty in a minute, and good links go on from the same address', async () => {
    const fresh = await startServer()
    try {
      const maker = await buildUser(fresh)
      const { token } = await buildLink(maker, await buildFile(maker))
      const statuses = new Map<number, number>()
      for (let count = 0; count < 70; count++) {
        const path = count % 2 === 0 ? '/api/s' : '/s'
        const { status } = await fetch(`${fresh.url}${path}/${String(count).padStart(22, 'a')}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      // The page of an unknown link is a page; the call of the page is 404.
      expect(Object.fromEntries(statuses)).toEqual({ 200: 30, 404: 30, 429: 10 })
      expect((await openVisitor(fresh.url, token).raw('')).status).toBe(200)
      expect((await fetch(`${fresh.url}/s/${token}`)).status).toBe(200)
    } finally {
      await fresh.close()
    }
  })
})

describe('a drop box', () => {
  test('answers alike whether others have handed in or not (CVE-2017-0885)', async () => {
    const folder = await buildFolder(user)
    const { token } = await buildLink(user, folder, { level: 'upload' })
    const send = async (bytes: string) => {
      const response = await openVisitor(server.url, token).upload(bytes, { name: 'homework.txt' })
      const body = await response.json()
      return { status: response.status, body, headers: [...response.headers.keys()].sort() }
    }
    const first = await send('mine')
    for (const bytes of ['ours', 'mine']) expect(await send(bytes)).toEqual(first)
    // What comes again is stored once.
    expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(2)
  })

  test('neither replaces a file nor puts it elsewhere (nextcloud#8719)', async () => {
    const [folder, other] = [await buildFolder(user), await buildFolder(user)]
    const { token } = await buildLink(user, folder, { level: 'upload' })
    for (const [field, value] of [
      ['on_conflict', 'replace'],
      ['parent_id', String(other.id)],
      ['path', '/x'],
    ] as const) {
      const form = new FormData()
      form.set(field, value)
      form.set('file', new Blob(['x']), 'a.txt')
      expect([
        field,
        (await openVisitor(server.url, token).raw('/upload', { method: 'POST', body: form })).status,
      ]).toEqual([field, 400])
    }
    for (const { id } of [folder, other]) expect((await user.call(listFiles, { parent_id: id })).total).toBe(0)
  })
})

test("a sender's name that no file can have is refused", async () => {
  const folder = await buildFolder(user)
  const { token } = await buildLink(user, folder, { level: 'upload', ask_name: true })
  for (const sender of ['../..', 'a/b', '/', '.', 'a\0b']) {
    const response = await openVisitor(server.url, token).upload('x', { sender })
    expect([sender, response.status]).toEqual([sender, 400])
  }
  expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(0)
})

describe('a link that stops', () => {
  test('stops a ZIP file on its way', async () => {
    const folder = await buildFolder(user)
    for (let count = 0; count < 12; count++) {
      await buildFile(user, { parent_id: folder.id }, Buffer.alloc(8 * 1024 ** 2, count))
    }
    const { id, token } = await buildLink(user, folder)
    const response = await openVisitor(server.url, token).raw('/download')
    const reader = response.body?.getReader()
    await reader?.read()
    await user.call(updateLink, { id, is_active: false })
    const rest = (async () => {
      for (let done = false; !done; ) done = (await reader?.read())?.done ?? true
    })()
    await expect(rest).rejects.toThrow()
  })

  test('takes no upload that began before', async () => {
    const folder = await buildFolder(user)
    const { id, token } = await buildLink(user, folder, { level: 'upload' })
    const bytes = Buffer.alloc(300_000, 'x')
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    async function* body() {
      yield Buffer.from(head)
      yield bytes.subarray(0, 100_000)
      await user.call(updateLink, { id, is_active: false })
      yield bytes.subarray(100_000)
      yield Buffer.from('\r\n--b--\r\n')
    }
    const response = await fetch(`${server.url}/api/s/${token}/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Readable.toWeb(Readable.from(body())) as unknown as BodyInit,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(404)
    expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(0)
  })

  test('stops with its maker, at the next request (filebrowser before 2.63.1)', async () => {
    const maker = await buildUser(server)
    const { token } = await buildLink(maker, await buildFile(maker))
    const visitor = openVisitor(server.url, token)
    expect((await visitor.raw('/download')).status).toBe(200)
    await disableUser(server, maker.id)
    expect((await visitor.raw('/download')).status).toBe(404)
  })
})

describe('the page of a link', () => {
  const pageOf = async (token: string) => {
    const response = await fetch(`${server.url}/s/${token}`)
    return { headers: response.headers, html: await response.text() }
  }

  test('tells messengers its name, escaped, and nothing of one that is locked or dead', async () => {
    const name = `<img src=x onerror=alert(1)> "quoted" & 'so'.txt`
    const file = await buildFile(user, { name })
    const { html } = await pageOf((await buildLink(user, file)).token)
    expect(html).toContain('og:title')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &amp; &#39;so&#39;.txt')
    expect(html).not.toContain('<img src=x')
    const locked = await pageOf((await buildLink(user, file, { password: 'open sesame' })).token)
    expect(locked.html).not.toContain('onerror')
    expect(locked.html).toContain('<title>filestore</title>')
    const dropBox = await pageOf((await buildLink(user, await buildFolder(user, 'Box'), { level: 'upload' })).token)
    expect(dropBox.html).not.toContain('og:description')
    expect(html).toContain('>download</a>')
    for (const hidden of [locked, dropBox]) expect(hidden.html).not.toContain('>download</a>')
  })

  test('is listed by no search engine, and tells no other site its address', async () => {
    const { token } = await buildLink(user, await buildFile(user))
    for (const path of [`/s/${token}`, `/api/s/${token}`, `/api/s/${'x'.repeat(22)}`]) {
      const { headers } = await fetch(server.url + path)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive')
    }
    expect(await (await fetch(`${server.url}/robots.txt`)).text()).toContain('Allow: /s/')
  })
})

test('a change by a page of another site is refused (CSRF)', async () => {
  const folder = await buildFolder(user)
  const { token } = await buildLink(user, folder, { level: 'upload' })
  const form = new FormData()
  form.set('file', new Blob(['x']), 'a.txt')
  const headers = { origin: 'https://evil.example' }
  const response = await fetch(`${server.url}/api/s/${token}/upload`, { method: 'POST', headers, body: form })
  expect(response.status).toBe(403)
})

test('one link that is asked too much at once lets others wait no longer than ten seconds', async context => {
  onlyNightly(context)
  const [file, other] = [await buildFile(user), await buildFile(user)]
  const { token } = await buildLink(user, file)
  const quiet = await buildLink(user, other)
  // Bodies that do not end hold the places of the link.
  const held = new AbortController()
  const waiting = Array.from({ length: 40 }, () =>
    fetch(`${server.url}/api/s/${token}/archive`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Readable.toWeb(
        Readable.from(
          (async function* () {
            yield Buffer.from('{')
            await setTimeout(60_000, undefined, { signal: held.signal }).catch(() => undefined)
          })(),
        ),
      ) as unknown as BodyInit,
      duplex: 'half',
      signal: held.signal,
    } as RequestInit).catch(() => undefined),
  )
  try {
    await expect
      .poll(async () => (await openVisitor(server.url, quiet.token).raw('')).status, { timeout: 30_000, interval: 10 })
      .toBe(429)
  } finally {
    held.abort()
    await Promise.all(waiting)
  }
  await expect.poll(async () => (await openVisitor(server.url, quiet.token).raw('')).status).toBe(200)
})
