/**
 * The page and its assets: the page is rendered for each request, assets are cached for good, and no other file is
 * served.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { version as pdfVersion } from 'pdfjs-dist/package.json'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const get = (path: string, to = server) => openClient(to.url).raw(path)
/** The folder with the files that pdf.js loads, named after its version. */
const pdfFolder = `pdf-${pdfVersion}`
const nonceOf = (response: Response): string =>
  /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1] ?? ''
/** The assets that the page loads, relative to its base. */
const assetsOf = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path = '']) => path)
const scriptOf = async (): Promise<string> =>
  `/${assetsOf(await (await get('/')).text()).find(path => path.endsWith('.js')) ?? ''}`

describe('the page', () => {
  test.each(['/', '/login', '/files', '/files/17', '/search?q=x', '/settings/users', '/anything/at/all', '/apiary'])(
    'is served at every address of the interface: %s',
    async path => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toContain('<div id="root">')
    },
  )

  test('may load only from its own origin, and inline styles need this answer’s nonce', async () => {
    const response = await get('/')
    const nonce = nonceOf(response)
    expect(nonce).toMatch(/^[\w+/=]{22,}$/)
    expect(response.headers.get('content-security-policy')).toBe(
      [
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
    )
    const page = await response.text()
    expect(page).toContain(`nonce="${nonce}"`)
    expect(page).not.toMatch(/%[A-Z]+%/)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  test('has a new nonce each time', async () => {
    const nonces = await Promise.all(Array.from({ length: 5 }, async () => nonceOf(await get('/'))))
    expect(new Set(nonces).size).toBe(5)
  })

  test('contains the limits in force, in JSON that cannot break out of its element', async () => {
    const other = await startServer({ maxFileSize: '5MB', trashRetentionDays: '7' })
    try {
      const page = await (await get('/', other)).text()
      const [, json = ''] = /<script type="application\/json" id="config"[^>]*>(.*?)<\/script>/.exec(page) ?? []
      expect(JSON.parse(json)).toEqual({ max_file_size: 5 * 1024 ** 2, trash_retention_days: 7, demo_accounts: [] })
    } finally {
      await other.close()
    }
  })

  test('is 405 for other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await openClient(server.url).raw('/files', { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  test('cannot be framed or sniffed, and names no software', async () => {
    const { headers } = await get('/')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.getSetCookie()).toEqual([])
  })
})

describe('an asset', () => {
  test('of the page exists, has its type, and is cached for good', async () => {
    const page = await (await get('/')).text()
    expect(assetsOf(page).length).toBeGreaterThan(2)
    for (const path of assetsOf(page)) {
      const response = await get(`/${path}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const types: Record<string, RegExp> = {
        js: /^text\/javascript/,
        css: /^text\/css/,
        svg: /^image\/svg/,
        woff2: /^font\/woff2$/,
      }
      expect(response.headers.get('content-type')).toMatch(types[path.split('.').at(-1) ?? ''] ?? /never/)
      await response.arrayBuffer()
    }
  })

  test('is compressed as the client accepts it, with the same content in each encoding', async () => {
    const path = await scriptOf()
    const ask = async (encoding?: string) => {
      const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding }
      const answer = await fetchRaw(path, headers)
      expect(answer.headers.vary).toMatch(/accept-encoding/i)
      return { encoding: answer.headers['content-encoding'], bytes: answer.bytes }
    }
    const [plain, brotli, gzip, refused] = [
      await ask(),
      await ask('gzip, br'),
      await ask('gzip'),
      await ask('br;q=0, identity'),
    ]
    expect([plain, brotli, gzip, refused].map(({ encoding }) => encoding)).toEqual([undefined, 'br', 'gzip', undefined])
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(refused.bytes.equals(plain.bytes)).toBe(true)
  })

  test('has an ETag for each encoding, and is answered with 304 for a client that has it', async () => {
    const path = await scriptOf()
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async encoding => {
        const { headers } = await fetchRaw(path, { 'accept-encoding': encoding })
        return { encoding, tag: String(headers.etag) }
      }),
    )
    expect(new Set(tags.map(({ tag }) => tag)).size).toBe(3)
    for (const { encoding, tag } of tags) {
      const ask = (known: string) => fetchRaw(path, { 'accept-encoding': encoding, 'if-none-match': known })
      const same = await ask(tag)
      expect(same).toMatchObject({
        status: 304,
        headers: { etag: tag, vary: expect.stringMatching(/accept-encoding/i) },
      })
      expect(same.headers['cache-control']).toContain('immutable')
      expect(same.bytes.length).toBe(0)
      const others = tags.filter(other => other.tag !== tag).map(other => other.tag)
      expect((await ask(others.join(', '))).status).toBe(200)
    }
  })

  test('has the same headers for HEAD as for GET, and ignores Range', async () => {
    const path = await scriptOf()
    const whole = await fetchRaw(path, { 'accept-encoding': 'br' })
    const head = await request(server.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
    for (const name of ['etag', 'content-length', 'content-type', 'content-encoding', 'cache-control', 'vary']) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
    expect(head.headers['content-length']).toBe(String(whole.bytes.length))
    const part = await fetchRaw(path, { 'accept-encoding': 'br', range: 'bytes=0-99' })
    expect(part.status).toBe(200)
    expect(part.bytes.equals(whole.bytes)).toBe(true)
  })

  test.each([
    ['build/worker.mjs', 'text/javascript; charset=utf-8'],
    ['cmaps/UniJIS-UTF16-H.bcmap', 'application/octet-stream'],
    ['standard_fonts/LiberationSans-Regular.ttf', 'font/ttf'],
    ['wasm/openjpeg.wasm', 'application/wasm'],
    ['iccs/CGATS001Compat-v2-micro.icc', 'application/vnd.iccprofile'],
    ['images/annotation-note.svg', 'image/svg+xml'],
  ])('of pdf.js exists, has its type, and is cached for good: %s', async (path, type) => {
    const { status, headers } = await get(`/assets/${pdfFolder}/${path}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test.for([
    '/assets/',
    '/assets/nothing.js',
    '/assets/below/main.js',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '/assets/%00',
    '/assets//etc/passwd',
    '/assets/__proto__',
    `/assets/${pdfFolder}`,
    `/assets/${pdfFolder}/`,
    `/assets/${pdfFolder}/build`,
    `/assets/${pdfFolder}/build/../../../index.html`,
    `/assets/${pdfFolder}/build/..%2f..%2f..%2findex.html`,
    `/assets/${pdfFolder}//build/pdf.worker.min.mjs`,
    `/assets/${pdfFolder}\\build\\pdf.worker.min.mjs`,
  ])('that does not exist is 404, wherever its path points: %s', async (path, context) => {
    // nginx refuses these by itself.
    if (/%00|%2e%2e\/%2e%2e/.test(path)) onlyOneServer('proxy', context)
    const answer = await sendWire(server.url, { path })
    expect(answer.text).not.toMatch(/"name": "filestore"|root:/)
    expect(answer.status).toBe(404)
  })
})

/** The bytes as they were sent; fetch would decompress them. */
async function fetchRaw(path: string, headers: Record<string, string>) {
  const { statusCode, headers: answered, body } = await request(server.url + path, { headers })
  return { status: statusCode, headers: answered, bytes: Buffer.from(await body.arrayBuffer()) }
}

describe('a public URL with a path', () => {
  test('is the base of the page and the API, and both also answer without it', async () => {
    const below = await startServer({ publicUrl: 'https://example.org/apps/store' })
    try {
      for (const path of ['/apps/store/files', '/apps/store', '/files']) {
        const page = await (await get(path, below)).text()
        expect(page).toContain('<base href="/apps/store/"')
        for (const asset of assetsOf(page)) expect((await get(`/apps/store/${asset}`, below)).status).toBe(200)
      }
      for (const path of ['/apps/store/api/files', '/api/files']) expect((await get(path, below)).status).toBe(401)
      expect((await get('/apps/store/healthz', below)).status).toBe(200)
      expect((await get('/apps/storeroom/api/files', below)).headers.get('content-type')).toContain('text/html')
    } finally {
      await below.close()
    }
  })

  test('defaults to the root', async () => {
    expect(await (await get('/deep/inside')).text()).toContain('<base href="/"')
  })

  test('is never taken from the request', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-prefix': '/evil' }
    const answer = await sendWire(server.url, { path: '/', headers })
    expect(answer.text).not.toContain('evil')
  })
})
