/** The client of resumable uploads while another process of the server holds the upload, as one that was killed does. */
import { expect, test } from 'vitest'
import { openResumable, type PieceRequest } from '../../src/api/resumable.ts'
import type { ResumableDoor } from '../../src/api/resumable-doors.ts'

test('a piece that another process holds off for half a minute is sent again until it is taken', async () => {
  let held = 30
  let received = 0
  const answer = (status: number, headers: Record<string, string> = {}) => ({
    status,
    text: JSON.stringify({ success: false, message: 'Another process holds it', error: 'locked', request_id: 'x' }),
    retryAfter: 1,
    header: (name: string) => ({ 'Tus-Resumable': '1.0.0', ...headers })[name] ?? null,
  })
  const send = async ({ method, path, range }: PieceRequest) => {
    if (method === 'POST') return answer(201, { Location: `${path}/${'a'.repeat(32)}` })
    if (method === 'PATCH' && held > 0) {
      held -= 1
      return answer(423)
    }
    if (method === 'PATCH') received = range?.[1] ?? 0
    return answer(method === 'PATCH' ? 204 : 200, { 'Upload-Offset': String(received) })
  }
  const waits: number[] = []
  const wait = async (seconds: number) => void waits.push(seconds)
  const door: ResumableDoor<object, { size: number }> = {
    path: '/uploads',
    metadata: () => '',
    findBegun: async () => null,
    finish: async () => ({ size: 1_000_000 }),
  }
  const made = await openResumable({ send, wait, onProgress: () => undefined }, door, 1_000_000).upload({})
  expect(made).toEqual({ size: 1_000_000 })
  expect(waits).toHaveLength(30)
})
