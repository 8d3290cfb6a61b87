/** Starts a server and a browser for a test file, and stops both after its last test. */
import { afterAll, beforeAll } from 'vitest'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { launchBrowser, type TestBrowser } from './browser.ts'

/** Set from the file's first `beforeAll` after openSite on. */
export let server: TestServer
export let browser: TestBrowser

/** Starts both before the tests of the calling file. `options` are the server's. */
export function openSite(options?: Parameters<typeof startServer>[0]): void {
  beforeAll(async () => {
    server = await startServer(options)
    browser = await launchBrowser(server)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
}
