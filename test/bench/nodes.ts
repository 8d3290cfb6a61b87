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
/** Two servers with two workers each, and as much for the database and the client. */
const coresNeeded = 8
const bound: Bound | undefined =
  availableParallelism() >= coresNeeded ? { of: 'ratio', side: 'at least', limit: 1.6 } : undefined

/** A kind of request: builds one for a target. */
interface Kind {
  name: string
  status: number
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
      build: (target, index) => getRequest(target, paths[index % fileCount] ?? ''),
    },
    { name: 'first page of 100', status: 200, build: target => getRequest(target, `/api${listFiles.path}`) },
    {
      name: 'upload of 10 KB',
      status: 201,
      build: target => uploadRequest(target, `/api${uploadFile.path}`, `file ${++uploads}.bin`, fileSize),
    },
  ]
}

/** Sends requests of a kind to all servers at once, the same number to each; returns how many they answered a second. */
async function sendTo(targets: readonly Target[], { status, build }: Kind, count: number): Promise<number> {
  const loads = targets.map(target => ({
    url: target.url,
    requests: Array.from({ length: count / targets.length }, (_, index) => build(target, index)),
  }))
  const each = { lanes: lanes / targets.length, status }
  const rates = await Promise.all(loads.map(({ url, requests }) => sendLoad(url, { ...each, requests })))
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** Samples one server, the process `pid`, and several in turns; the processor time is that of the one's requests. */
async function measureKind(
  { target, pid, several }: { target: Target; pid: number; several: readonly Target[] },
  kind: Kind,
  { count, rounds }: { count: number; rounds: number },
): Promise<Row[]> {
  const processes = { server: [pid], database: await findProcesses('mariadbd') }
  const used = { server: [] as number[], database: [] as number[] }
  const read = async () => [await readProcessorTime(processes.server), await readProcessorTime(processes.database)]
  const alone = async () => {
    const [server = 0, database = 0] = await read()
    const rate = await sendTo([target], kind, count)
    const [serverNow = 0, databaseNow = 0] = await read()
    used.server.push(((serverNow - server) / count) * 1000)
    used.database.push(((databaseNow - database) / count) * 1000)
    return rate
  }
  const subjects = [() => sendTo(several, kind, count), alone] as const
  await interleave(1, subjects)
  used.server.length = used.database.length = 0
  const [rates, reference] = await interleave(rounds, subjects)
  const { name } = kind
  return [
    {
      name: `${name}, two servers with two workers each`,
      unit: 'requests/s',
      value: summarize(rates),
      reference: { name: 'one server', figures: summarize(reference) },
      bound: name.startsWith('download') ? bound : undefined,
    },
    { name: `${name}: processor time of the server`, unit: 'µs', value: summarize(used.server) },
    // A database on another machine is not seen from here.
    ...(processes.database.length > 0
      ? [{ name: `${name}: processor time of the database`, unit: 'µs' as const, value: summarize(used.database) }]
      : []),
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
    await setQuota(place, (3 * (size.rounds + 1) * size.count + fileCount) * fileSize)
    return withProduct(place, async (client, { pid }) =>
      withProduct(
        place,
        first =>
          withProduct(
            place,
            async second => {
              const servers = { target: client, pid, several: [first, second] }
              const rows: Row[] = []
              for (const kind of await kindsOf(client)) rows.push(...(await measureKind(servers, kind, size)))
              return rows
            },
            workers,
          ),
        workers,
      ),
    )
  })
}
