/** A large file by resumable upload, in turns with the same in one request. */
import { Readable } from 'node:stream'
import { request } from 'undici'
import { openResumable } from '../../src/api/resumable.ts'
import type { PieceRequest } from '../../src/api/resumable-answers.ts'
import { userDoor } from '../../src/api/resumable-doors.ts'
import { blocks, type Client, megabyte } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import { readPeakMemory, readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { setQuota } from './place.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'
import { memoryBound, uploadLarge } from './transfers.ts'

/** Sends one request of a resumable upload, with new bytes. */
async function send({ url, headers }: Client, { method, path, headers: own, range }: PieceRequest) {
  const size = range === null ? 0 : range[1] - range[0]
  const answer = await request(`${url}/api${path}`, {
    method,
    headers: { ...headers, ...own, 'content-length': String(size) },
    body: size === 0 ? null : Readable.from(blocks(size), { objectMode: false }),
  })
  const text = await answer.body.text()
  return {
    status: answer.statusCode,
    text,
    header: (name: string) => [answer.headers[name.toLowerCase()] ?? []].flat()[0] ?? null,
  }
}

let files = 0

async function uploadInPieces(client: Client, size: number): Promise<void> {
  const deps = {
    send: (piece: PieceRequest) => send(client, piece),
    wait: async () => {
      throw new Error('the server asked to wait')
    },
    onProgress: () => undefined,
  }
  await openResumable(deps, userDoor(client.call), size).upload({
    name: `large ${++files}.bin`,
    parent_id: null,
    on_conflict: 'fail',
  })
}

export async function measureResumable(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const size = (isQuick ? 128 : 1024) * megabyte
  const rounds = isQuick ? 2 : 7
  return withPlace(measuring, async place => {
    await setQuota(place, 2 * (rounds + 1) * size)
    const measure = async (client: Client, pid: number) => {
      const atRest = await readSettledMemory(pid)
      const growth: number[] = []
      const speed = async (work: () => Promise<unknown>) => size / megabyte / ((await timed(work)) / 1000)
      const inPieces = () =>
        speed(async () => {
          growth.push((await readPeakMemory(pid, () => uploadInPieces(client, size))) - atRest)
        })
      const subjects = [inPieces, () => speed(() => uploadLarge(client, size))] as const
      // Warm-up: the first requests compile code.
      await interleave(1, subjects)
      const [pieces, whole] = await interleave(rounds, subjects)
      const name = `upload of ${isQuick ? '128 MB' : '1 GB'}, resumable`
      const reference = { name: 'in one request', figures: summarize(whole) }
      const rows: Row[] = [
        {
          name,
          unit: 'MB/s',
          value: summarize(pieces),
          reference,
          bound: { of: 'ratio', side: 'at least', limit: 1 },
        },
        { name: `${name}: memory over rest`, unit: 'MB', value: summarize(growth), bound: memoryBound },
      ]
      return rows
    }
    return withProduct(place, (client, { pid }) => measure(client, pid), ['--max-file-size', '2GB'])
  })
}
