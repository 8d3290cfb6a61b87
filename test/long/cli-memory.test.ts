/** The client's memory over the largest file that a new user can own. */
import { expect, test } from 'vitest'
import { defaultStorageQuota } from '../../src/api/limits.ts'
import { maxClientMemory, measureTransfers } from '../cli/memory.ts'

test('5 GB go up and down in less than 150 MB of memory', async () => {
  const { upload, download, codes } = await measureTransfers(defaultStorageQuota)
  expect(codes).toEqual([0, 0])
  expect(upload).toBeLessThan(maxClientMemory)
  expect(download).toBeLessThan(maxClientMemory)
})
