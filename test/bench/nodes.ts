/**
 * Several servers on one MariaDB beside one server: how many requests they answer, and how much processor time of the
 * servers and of the database a request takes, by which docs/performance.md reckons for more machines than there are.
 */
import { availableParallelism } from 'node:os'
import { readAnswer } from '../../src/api/client.ts'
import { downloadFile } from '../../src/api/content.ts'
import { listFiles, uploadFile } from '../../src/api/files.ts'
import type { ItemAnswer } from '../../src/api/items.ts'
import { type Client, sendBytes, type Target } from './client.ts'
import { getRequest, sendLoad, uploadRequest } from './load.ts'
import { interleave, summarize } from './measure.ts'
import type { Measuring } from './options.ts'
import { setQuota } from './place.ts'
import { findProcesses, readProcessorTime } from './processor-time.ts'
import { withPlace, withProduct } from './product.ts'
import type { Bound, Row } from './table.ts'

const fileSize = 10 * 1024
/** Different files, so that nobody's cache of one file is measured. */
const fileCount = 100
const lanes = 16
/** A worker takes six thousand requests until V8 has compiled what they run through. */
const mostWarmUps = 12
/** Two servers with two workers each, and as much for the database and the client. */
const coresNeeded = 8
const bound: Bound | undefined =
  availableParallelism() >= coresNeeded ? { of: 'ratio', side: 'at least', limit: 1.6 } : undefined

/** A kind of request: builds one for a target. */
interface Kind {
  name: string
  status: number
  /** Rounds before the measuring. */
  warmUps: number
  build(target: Target, index: number): Buffer
}

async function kindsOf(client: Client): Promise<Kind[]> {
  const paths: string[] = []
  for (let n = 0; n < fileCount; n++) {
    const text = await sendBytes(client, `/api${uploadFile.path}`, `small ${n}.bin`, fileSize)
    const { id } = readAnswer<ItemAnswer>({ status: 201, text }).file
    paths.push(`/api${downloadFile.path.replace(':id', String(id))}`)
  }
  let uploads = 0
  return [
    {
      name: 'download of 10 KB',
      status: 200,
      warmUps: mostWarmUps,
      build: (target, index) => getRequest(target, paths[index % fileCount] ?? ''),
    },
    {
      name: 'first page of 100',
      status: 200,
      warmUps: 2,
      build: target => getRequest(target, `/api${listFiles.path}`),
    },
    {
      name: 'upload of 10 KB',
      status: 201,
      warmUps: 4,
      build: target => uploadRequest(target, `/api${uploadFile.path}`, `file ${++uploads}.bin`, fileSize),
    },
  ]
}

/** A server, its process, and who has signed in there. */
interface Server {
  target: Target
  pid: number
}

/** Sends requests of a kind to all servers at once, the same number to each; returns how many they answered a second. */
async function sendTo(servers: readonly Server[], { status, build }: Kind, count: number): Promise<number> {
  const loads = servers.map(({ target }) => ({
    url: target.url,
    requests: Array.from({ length: count / servers.length }, (_, index) => build(target, index)),
  }))
  const each = { lanes: lanes / servers.length, status }
  const rates = await Promise.all(loads.map(({ url, requests }) => sendLoad(url, { ...each, requests })))
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** What the servers and the database used of the processor for each request, in µs, in every round. */
interface Used {
  server: number[]
  database: number[]
}

/** A subject that sends `count` requests, and notes what they took of the processor of these processes. */
function subjectOf(send: () => Promise<number>, count: number, pids: Record<keyof Used, readonly number[]>) {
  const used: Used = { server: [], database: [] }
  const read = async () => ({
    server: await readProcessorTime(pids.server),
    database: await readProcessorTime(pids.database),
  })
  const sample = async () => {
    const before = await read()
    const rate = await send()
    const after = await read()
    for (const side of ['server', 'database'] as const) used[side].push(((after[side] - before[side]) / count) * 1000)
    return rate
  }
  return { used, sample }
}

interface Subjects {
  one: Server
  several: readonly Server[]
}

/** Samples several servers and one in turns. */
async function measureKind(
  { one, several }: Subjects,
  kind: Kind,
  { count, rounds }: { count: number; rounds: number },
): Promise<Row[]> {
  const database = await findProcesses('mariadbd')
  const subject = (servers: readonly Server[]) =>
    subjectOf(() => sendTo(servers, kind, count), count, { server: servers.map(({ pid }) => pid), database })
  await interleave(rounds > 1 ? kind.warmUps : 1, [subject(several).sample, subject([one]).sample])
  const [all, alone] = [subject(several), subject([one])]
  const [rates, reference] = await interleave(rounds, [all.sample, alone.sample])
  const processorTime = (side: keyof Used): Row => ({
    name: `${kind.name}: processor time of ${side === 'server' ? 'the servers' : 'the database'}`,
    unit: 'µs',
    value: summarize(all.used[side]),
    reference: { name: 'one server', figures: summarize(alone.used[side]) },
  })
  return [
    {
      name: `${kind.name}, two servers with two workers each`,
      unit: 'requests/s',
      value: summarize(rates),
      reference: { name: 'one server', figures: summarize(reference) },
      bound: kind.name.startsWith('download') ? bound : undefined,
    },
    processorTime('server'),
    // A database on another machine is not seen from here.
    ...(database.length > 0 ? [processorTime('database')] : []),
  ]
}

/** Measures on MariaDB, the only database that several servers can use. */
export async function measureNodes(measuring: Measuring): Promise<Row[]> {
  if (measuring.mariadbUrl === undefined) {
    console.error('left out: several servers need a MariaDB (--database)')
    return []
  }
  const size = measuring.isQuick ? { count: 200, rounds: 1 } : { count: 2000, rounds: 5 }
  const workers = ['--workers', '2']
  return withPlace(measuring, async place => {
    await setQuota(place, (2 * (size.rounds + mostWarmUps) * size.count + fileCount) * fileSize)
    return withProduct(place, async (client, one) =>
      withProduct(
        place,
        async (first, { pid: firstPid }) =>
          withProduct(
            place,
            async (second, { pid: secondPid }) => {
              const subjects = {
                one: { target: client, pid: one.pid },
                several: [
                  { target: first, pid: firstPid },
                  { target: second, pid: secondPid },
                ],
              }
              const rows: Row[] = []
              for (const kind of await kindsOf(client)) rows.push(...(await measureKind(subjects, kind, size)))
              return rows
            },
            workers,
          ),
        workers,
      ),
    )
  })
}
