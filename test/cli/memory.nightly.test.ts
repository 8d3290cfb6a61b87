/** Streams stay streams: a file larger than the memory allowed. The whole 5 GB are in test/long. */
import { expect, test } from 'vitest'
import { maxClientMemory, measureTransfers } from './memory.ts'

test('256 MB go up and down in less than 150 MB of memory', async () => {
  const { upload, download, codes } = await measureTransfers(256 * 1024 ** 2)
  expect(codes).toEqual([0, 0])
  expect(upload).toBeLessThan(maxClientMemory)
  expect(download).toBeLessThan(maxClientMemory)
})
