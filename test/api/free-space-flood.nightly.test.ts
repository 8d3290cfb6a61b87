/** Concurrent uploads at full speed stop as soon as the disk reaches the minimum of free space, not some time later. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildFile, buildUser } from '../support/factories.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, watchLeast } from '../support/small-disk.ts'
import { sendWire } from '../support/wire.ts'

const megabyte = 1024 ** 2
const floor = 64 * megabyte

test('uploads of small files, which the database stores, keep the minimum of free space on its disk', async context => {
  onlyOn('sqlite', context)
  const disk = await mountSmallDisk(context, '88m')
  const server = await startServer({ dataDir: join(disk.folder, 'data'), minFreeSpace: '64MB' })
  context.onTestFinished(async () => {
    await server.close()
    await disk.unmount()
  })
  const user = await buildUser(server)
  let refused = 0
  const watching = watchLeast(disk.folder, () => refused === 8)
  const uploadAll = async () => {
    while (await buildFile(user, {}, randomBytes(32 * 1024)).then(Boolean, () => false));
    refused += 1
  }
  await Promise.all(Array.from({ length: 8 }, uploadAll))
  await expect(buildFile(user)).rejects.toMatchObject({ status: 507, code: 'storage_full' })
  expect(await watching).toBeGreaterThan(floor - 4 * megabyte)
})

test('five uploads without a length keep the minimum of free space', async context => {
  const disk = await mountSmallDisk(context, '256m')
  const server = await startServer({ storage: join(disk.folder, 'storage'), minFreeSpace: '64MB', maxFileSize: '1GB' })
  context.onTestFinished(async () => {
    await server.close()
    await disk.unmount()
  })
  const user = await buildUser(server)
  const chunk = Buffer.alloc(megabyte, 'x')
  async function* endless(name: string) {
    yield fileStart(name)
    for (;;) yield chunk
  }
  let isOver = false
  const watching = watchLeast(disk.folder, () => isOver)
  const headers = { ...user.headers, 'content-type': multipartType }
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      sendWire(server.url, { method: 'POST', path: '/api/files/upload', headers, body: endless(`${index}.bin`) }),
    ),
  )
  isOver = true
  for (const { status, text } of answers) expect([status, JSON.parse(text).error]).toEqual([507, 'storage_full'])
  expect(await watching).toBeGreaterThan(floor - 4 * megabyte)
})
