/** The client's memory during transfers of the largest file that a new user can store. */
import { expect, test } from 'vitest'
import { defaultStorageQuota } from '../../src/api/limits.ts'
import { maxClientMemory, measureTransfers } from '../cli/memory.ts'

test('the client uploads and downloads 5 GB with less than 150 MB of memory', async () => {
  const { upload, download, codes } = await measureTransfers(defaultStorageQuota)
  expect(codes).toEqual([0, 0])
  expect(upload).toBeLessThan(maxClientMemory)
  expect(download).toBeLessThan(maxClientMemory)
})
