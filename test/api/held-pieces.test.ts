/** The client of resumable uploads while another process of the server holds the upload, as one that was killed does. */
import { expect, test } from 'vitest'
import { openResumable } from '../../src/api/resumable.ts'
import type { PieceRequest } from '../../src/api/resumable-answers.ts'
import type { ResumableDoor, StoredFile } from '../../src/api/resumable-doors.ts'

const size = 1_000_000

/** A server that holds off the first pieces, and all the waits of a client that sends a file to it. */
function openHeld({ held, finish }: { held: number; finish?: () => Promise<StoredFile> }) {
  let received = 0
  const answer = (status: number, headers: Record<string, string> = {}) => ({
    status,
    text: JSON.stringify({ success: false, message: 'Another process holds it', error: 'locked', request_id: 'x' }),
    retryAfter: 1,
    header: (name: string) => ({ 'Tus-Resumable': '1.0.0', ...headers })[name] ?? null,
  })
  const pieces: number[] = []
  const send = async ({ method, path, range }: PieceRequest) => {
    if (method === 'POST') return answer(201, { Location: `${path}/${'a'.repeat(32)}` })
    if (method === 'HEAD') return answer(200, { 'Upload-Offset': String(received) })
    const [from, to] = range ?? [0, 0]
    pieces.push(to - from)
    if (pieces.length <= held) return answer(423)
    received = to
    return answer(204, { 'Upload-Offset': String(received) })
  }
  const waits: number[] = []
  const wait = async (seconds: number) => void waits.push(seconds)
  const door: ResumableDoor<object, StoredFile> = {
    path: '/uploads',
    metadata: () => '',
    findBegun: async () => null,
    finish: finish ?? (async () => ({ size })),
  }
  return { upload: openResumable({ send, wait, onProgress: () => undefined }, door, size), pieces, waits }
}

test('a piece that another process holds off for half a minute is sent again until it is taken, as large as before', async () => {
  const { upload, pieces, waits } = openHeld({ held: 30 })
  expect(await upload.upload({})).toEqual({ size })
  expect(waits).toHaveLength(30)
  expect(new Set(pieces)).toEqual(new Set([size]))
})

test('an upload that is held without end is given up after a quarter of an hour', async () => {
  const { upload, waits } = openHeld({ held: 5000 })
  await expect(upload.upload({})).rejects.toMatchObject({ code: 'locked' })
  expect(waits).toHaveLength(900)
})

test('a file that was replaced after the answer about it was lost is no failure', async () => {
  let answers = 0
  const finish = async () => {
    answers += 1
    if (answers === 1) throw new TypeError('the connection broke')
    return { size: 7 }
  }
  const { upload } = openHeld({ held: 0, finish })
  await expect(upload.upload({})).rejects.toThrow('the connection broke')
  expect(await upload.upload({})).toEqual({ size: 7 })
})
