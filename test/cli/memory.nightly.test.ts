/** Transfers stream: the file is larger than the memory that the client may use. test/long sends the full 5 GB. */
import { expect, test } from 'vitest'
import { maxClientMemory, measureTransfers } from './memory.ts'

test('the client uploads and downloads 256 MB with less than 150 MB of memory', async () => {
  const { upload, download, codes } = await measureTransfers(256 * 1024 ** 2)
  expect(codes).toEqual([0, 0])
  expect(upload).toBeLessThan(maxClientMemory)
  expect(download).toBeLessThan(maxClientMemory)
})
