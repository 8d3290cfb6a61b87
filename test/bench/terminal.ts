/** The terminal client compared with curl: start time, speed of transfers, and memory. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { downloadFile } from '../../src/api/content.ts'
import { getFileByPath, listFiles, uploadFile } from '../../src/api/files.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { peakOption, readPeak } from '../support/peak-memory.ts'
import { type Client, megabyte } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows } from './place.ts'
import { binary, password, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const smallSize = 10 * 1024
const memoryLimit = 150

/** Makes a machine with the client and curl, and a key with the permissions for uploads and downloads. */
interface Bench {
  client: Client
  folder: string
  env: Record<string, string>
  /** curl's options for the same key. */
  curlKey: string[]
}

async function openBench(client: Client, folder: string): Promise<Bench> {
  const permissions = ['files:read', 'files:write', 'files:upload'] as const
  const key = await client.call(createApiKey, {
    name: 'bench',
    kind: 'device',
    current_password: password,
    permissions: [...permissions],
  })
  return {
    client,
    folder,
    env: { FILESTORE_URL: client.url, FILESTORE_API_KEY_ID: key.key_id, FILESTORE_API_SECRET: key.secret },
    curlKey: ['-sSf', '-H', `X-API-Key-ID: ${key.key_id}`, '-H', `X-API-Secret: ${key.secret}`],
  }
}

const runClient = ({ env, folder }: Bench, args: readonly string[], more: Record<string, string> = {}) =>
  execa(process.execPath, [binary, ...args], { env: { ...env, ...more }, cwd: folder })

/** Runs the client, and records its peak memory in MB. */
async function runMeasured(bench: Bench, args: readonly string[], peaks: number[]): Promise<void> {
  const { stderr } = await runClient(bench, args, { NODE_OPTIONS: peakOption })
  peaks.push(readPeak(stderr) / megabyte)
}

const curlUpload = ({ client, curlKey, folder }: Bench, file: string, name: string) =>
  execa('curl', [
    ...curlKey,
    ...['-F', 'parent_id=', '-F', `name=${name}`, '-F', 'on_conflict=rename', '-F', `file=@${join(folder, file)}`],
    ...['-o', '/dev/null', `${client.url}/api${uploadFile.path}`],
  ])

/** Writes new bytes at the start of a file, so that the server does not have its content. */
async function stampFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(randomBytes(32), 0, 32, 0)
  await file.close()
}

async function measureLarge(bench: Bench, size: number, rounds: number, label: string): Promise<Row[]> {
  const { folder, client, curlKey } = bench
  const large = join(folder, 'large.bin')
  await writeFile(large, '')
  for (let written = 0; written < size; written += megabyte) {
    await writeFile(large, randomBytes(megabyte), { flag: 'a' })
  }
  let count = 0
  const speed = async (work: () => Promise<unknown>) => {
    await stampFile(large)
    count += 1
    return size / megabyte / ((await timed(work)) / 1000)
  }
  const peaks: { up: number[]; down: number[] } = { up: [], down: [] }
  const [up, curlUp] = await interleave(rounds, [
    () => speed(() => runMeasured(bench, ['upload', 'large.bin', '--name', `${count}.bin`], peaks.up)),
    () => speed(() => curlUpload(bench, 'large.bin', `${count}.bin`)),
  ])
  const { file } = await client.call(getFileByPath, { path: '/1.bin' })
  const path = `${client.url}/api${downloadFile.path.replace(':id', String(file.id))}`
  const back = join(folder, 'back.bin')
  // Delete the file first, because the client skips a file that it has already.
  const afresh = async (work: () => Promise<unknown>) => {
    await rm(back, { force: true })
    return speed(work)
  }
  const [down, curlDown] = await interleave(rounds, [
    () => afresh(() => runMeasured(bench, ['download', '/1.bin', 'back.bin'], peaks.down)),
    () => afresh(() => execa('curl', [...curlKey, '-o', back, path])),
  ])
  const rows = (name: string, own: number[], curl: number[], memory: number[]): Row[] => [
    {
      name: `filestore ${name} of ${label}`,
      unit: 'MB/s',
      value: summarize(own),
      reference: { name: 'curl', figures: summarize(curl) },
      bound: { of: 'ratio', side: 'at least', limit: 0.8 },
    },
    {
      name: `filestore ${name} of ${label}: memory`,
      unit: 'MB',
      value: summarize(memory),
      bound: { of: 'max', side: 'at most', limit: memoryLimit },
    },
  ]
  return [...rows('upload', up, curlUp, peaks.up), ...rows('download', down, curlDown, peaks.down)]
}

async function plantFiles(folder: string, count: number): Promise<void> {
  await mkdir(folder)
  for (let index = 0; index < count; index++) await writeFile(join(folder, `${index}.bin`), randomBytes(smallSize))
}

/** Many small files in one command, compared with one curl process for each of some files. */
async function measureSmall(bench: Bench, count: number, rounds: number): Promise<Row> {
  const curlCount = Math.min(count, 200)
  let round = 0
  const own = async () => {
    round += 1
    const name = `small ${round}`
    await plantFiles(join(bench.folder, name), count)
    const ms = await timed(() => runClient(bench, ['upload', name]))
    const { file } = await bench.client.call(getFileByPath, { path: `/${name}` })
    const { total } = await bench.client.call(listFiles, { parent_id: file.id, limit: 1 })
    if (total !== count) throw new Error(`of ${count} files ${total} arrived`)
    return (count / ms) * 1000
  }
  const curl = async () => {
    const name = `curl ${round}`
    await plantFiles(join(bench.folder, name), curlCount)
    const ms = await timed(async () => {
      for (let index = 0; index < curlCount; index++) {
        await curlUpload(bench, `${name}/${index}.bin`, `${name} ${index}.bin`)
      }
    })
    return (curlCount / ms) * 1000
  }
  const [files, curls] = await interleave(rounds, [own, curl])
  return {
    name: `filestore upload of ${count.toLocaleString('en')} files of 10 KiB`,
    unit: 'files/s',
    value: summarize(files),
    reference: { name: 'a curl for each', figures: summarize(curls) },
    bound: { of: 'median', side: 'at least', limit: 2_000 },
  }
}

async function measureLs(bench: Bench, rounds: number): Promise<Row> {
  const [ls] = await interleave(rounds, [() => timed(() => runClient(bench, ['ls']))])
  const bound = { of: 'median', side: 'at most', limit: 500 } as const
  return { name: 'filestore ls', unit: 'ms', value: summarize(ls), bound }
}

/** Measures everything that docs/performance.md promises of the client. */
export async function measureTerminal(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const size = (isQuick ? 128 : 1024) * megabyte
  const rounds = isQuick ? 2 : 5
  return withPlace(measuring, async place => {
    await changeRows(place, db => db.change('UPDATE spaces SET storage_quota = $1', [(2 * rounds + 2) * size]))
    const folder = await mkdtemp(join(tmpdir(), 'filestore-bench-terminal-'))
    const measure = async (client: Client) => {
      const bench = await openBench(client, folder)
      const ls = await measureLs(bench, isQuick ? 3 : 15)
      const small = await measureSmall(bench, isQuick ? 200 : 5_000, isQuick ? 2 : 3)
      return [ls, small, ...(await measureLarge(bench, size, rounds, isQuick ? '128 MB' : '1 GB'))]
    }
    return withProduct(place, measure, ['--max-file-size', '2GB']).finally(() =>
      rm(folder, { recursive: true, force: true }),
    )
  })
}
