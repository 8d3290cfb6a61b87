/** `filestore serve --drain-seconds`: a server that is told to stop serves on while balancers turn away from it. */
import { expect, type TestContext, test, vi } from 'vitest'
import { signIn } from '../support/client.ts'
import { openCluster } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'
import { sendWire } from '../support/wire.ts'

async function expectDrain({ onTestFinished }: TestContext, args: string[]): Promise<void> {
  const data = await openCluster()
  onTestFinished(() => data.close())
  const server = await data.start(['--drain-seconds', '600', ...args])
  const statusOf = async (path: string) => (await sendWire(server.url, { path })).status
  expect(await statusOf('/readyz')).toBe(200)
  const exit = server.stop('SIGTERM')
  await expect.poll(() => statusOf('/readyz')).toBe(503)
  const heardAt = performance.now()
  expect(await statusOf('/healthz')).toBe(200)
  const admin = await signIn(server.url, data.adminName, data.adminPassword)
  await admin.upload('bytes', { name: 'late.txt' })
  // A second signal ends the wait; within half a second it would count as the first.
  await vi.waitUntil(() => performance.now() - heardAt > 600)
  server.child.kill('SIGTERM')
  expect(await exit).toBe(0)
}

test('a server that drains answers requests, and /readyz with 503, until its time or a second signal', context =>
  expectDrain(context, []))

test('the workers of a server drain too', context => {
  onlyOn('mariadb', context)
  return expectDrain(context, ['--workers', '2'])
})
