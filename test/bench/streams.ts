/** The stream of changes: the memory of many followers, what they cost other calls, and how soon they hear of a change. */
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { followChanges } from '../../src/api/changes.ts'
import { createFolder, listFiles, uploadFile } from '../../src/api/files.ts'
import { maxFollowersOfSession, maxFollowersOfUser } from '../../src/api/limits.ts'
import { createUser } from '../../src/api/users.ts'
import { type Client, signIn } from './client.ts'
import { getRequest, sendLoad, uploadRequest } from './load.ts'
import { interleave, summarize, timed } from './measure.ts'
import { readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { setQuota } from './place.ts'
import { password, withPlace, withProduct } from './product.ts'
import type { Bound, Row } from './table.ts'

const lanes = 8
/** ms between two changes; messages about one space come a second apart. */
const pause = 1500

interface Stream {
  /** Resolves with the next message. */
  next(): Promise<unknown>
  close(): void
}

/** Opens a stream; resolves once the server follows. */
async function open({ url, headers }: Client): Promise<Stream> {
  const asked = request(`${url}/api${followChanges.path}`, { headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  if (answer.statusCode !== 200) throw new Error(`a stream was answered with ${answer.statusCode}`)
  await once(answer, 'data')
  return { next: () => once(answer, 'data'), close: () => asked.destroy() }
}

/** Opens as many streams as the sessions may have. */
const openAll = (sessions: readonly Client[]): Promise<Stream[]> =>
  Promise.all(sessions.flatMap(session => Array.from({ length: maxFollowersOfSession }, () => open(session))))

/** Sessions of new users, ten of each, which is as many as may have all their streams. */
async function signInOften(client: Client, count: number): Promise<Client[]> {
  const sessions: Client[] = []
  while (sessions.length < count) {
    const username = `follower-${sessions.length}`
    await client.call(createUser, { username, email: `${username}@example.org`, password })
    for (let n = 0; n < maxFollowersOfUser / maxFollowersOfSession; n++) {
      sessions.push(await signIn(client.url, username, password))
    }
  }
  return sessions
}

async function measureMemory(sessions: readonly Client[], pid: number): Promise<Row> {
  const atRest = await readSettledMemory(pid)
  const streams = await openAll(sessions)
  const withStreams = await readSettledMemory(pid)
  for (const { close } of streams) close()
  return {
    name: `memory of ${streams.length} streams`,
    unit: 'MB',
    value: summarize([withStreams - atRest]),
    bound: { of: 'max', side: 'at most', limit: 40 },
  }
}

/** The rate of a call beside the streams of these sessions, in turns with the rate without. */
async function measureBeside(
  sessions: readonly Client[],
  rounds: number,
  name: string,
  unit: Row['unit'],
  send: () => Promise<{ perSecond: number }>,
): Promise<Row> {
  const beside = async () => {
    const streams = await openAll(sessions)
    const { perSecond } = await send()
    for (const { close } of streams) close()
    return perSecond
  }
  const subjects = [beside, async () => (await send()).perSecond] as const
  // Warm-up: the first requests compile code.
  await interleave(1, subjects)
  const [own, without] = await interleave(rounds, subjects)
  const bound: Bound = { of: 'ratio', side: 'at least', limit: 0.95 }
  const reference = { name: 'without streams', figures: summarize(without) }
  const count = sessions.length * maxFollowersOfSession
  return { name: `${name}, beside ${count} streams`, unit, value: summarize(own), reference, bound }
}

/** The time from the answer to a change until another session hears of it. */
async function measureNews(client: Client, other: Client, rounds: number): Promise<Row> {
  const stream = await open(other)
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    await setTimeout(pause)
    const heard = stream.next()
    await client.call(createFolder, { name: `news ${round}` })
    samples.push(await timed(() => heard))
  }
  stream.close()
  return {
    name: 'change until another session hears of it',
    unit: 'ms',
    value: summarize(samples),
    bound: { of: 'p95', side: 'at most', limit: 1500 },
  }
}

export async function measureStreams(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const [count, rounds] = isQuick ? [100, 2] : [1000, 15]
  let files = 0
  return withPlace(measuring, async place => {
    await setQuota(place, 2 ** 30)
    return withProduct(place, async (client, { pid }) => {
      const sessions = await signInOften(client, isQuick ? 20 : 100)
      const few = sessions.slice(0, 20)
      const list = getRequest(client, `/api${listFiles.path}`)
      const listing = () =>
        sendLoad(client.url, { lanes, requests: Array.from({ length: count }, () => list), status: 200 })
      const uploading = () => {
        const requests = Array.from({ length: count }, () =>
          uploadRequest(client, `/api${uploadFile.path}`, `file ${++files}.bin`, 1024),
        )
        return sendLoad(client.url, { lanes, requests, status: 201 })
      }
      return [
        await measureMemory(sessions, pid),
        await measureBeside(few, rounds, 'listings', 'requests/s', listing),
        await measureBeside(few, rounds, 'uploads of 1 KB', 'files/s', uploading),
        await measureNews(client, await signIn(client.url, 'admin', password), isQuick ? 2 : 20),
      ]
    })
  })
}
