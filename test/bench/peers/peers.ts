/** filestore beside products of others that serve files, all with the same work and in turns. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../support/free-port.ts'
import { withBareStarts } from '../bare.ts'
import { megabyte } from '../client.ts'
import type { Measuring } from '../options.ts'
import { withPlace } from '../product.ts'
import type { ServerProcess } from '../server-process.ts'
import type { Row } from '../table.ts'
import { bareContestant } from './bare.ts'
import type { Contestant, Running } from './contestant.ts'
import { findCopyparty } from './copyparty.ts'
import { type DataFolder, makeDataFolder, type Sizes } from './data-folder.ts'
import { filestoreContestant } from './filestore.ts'
import { findHfs } from './hfs.ts'
import { measureLarge } from './large.ts'
import { findNginx } from './nginx.ts'
import { PeerAbsent, peerContestant } from './peer.ts'
import { findRclone } from './rclone.ts'
import { measureSmallDownloads, measureSmallUploads } from './small.ts'
import { measureStarts } from './starts.ts'

const finders = { nginx: findNginx, rclone: findRclone, HFS: findHfs, copyparty: findCopyparty }

/** Sets up the peers that are there, each in a folder below `parent`, and prints why the others are not. */
async function findPeers({ hfs, copyparty }: Measuring, parent: string, data: DataFolder): Promise<Contestant[]> {
  const peers: Contestant[] = []
  for (const [name, find] of Object.entries(finders)) {
    const setup = { data, home: join(parent, name), port: await findFreePort(), hfs, copyparty }
    await mkdir(setup.home)
    try {
      peers.push(await peerContestant(await find(setup), setup))
    } catch (error) {
      if (!(error instanceof PeerAbsent)) throw error
      console.error(`without ${name}: ${error.message}`)
    }
  }
  return peers
}

/** Lends the servers of all contestants while they run. */
async function withAllRunning<T>(
  contestants: readonly Contestant[],
  use: (running: Running[]) => Promise<T>,
): Promise<T> {
  const servers: ServerProcess[] = []
  try {
    const running: Running[] = []
    for (const contestant of contestants) {
      const server = await contestant.start()
      servers.push(server)
      running.push({ contestant, target: { url: server.url, headers: contestant.headers } })
    }
    return await use(running)
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}

async function measureAll(contestants: readonly Contestant[], sizes: Sizes, isQuick: boolean): Promise<Row[]> {
  const [uploads, rounds] = isQuick ? [200, 2] : [2000, 7]
  const transfers = await withAllRunning(contestants, async running => [
    ...(await measureSmallUploads(running, uploads, rounds)),
    ...(await measureSmallDownloads(running, rounds)),
    ...(await measureLarge(running, sizes.large, isQuick ? 1 : 3)),
  ])
  return [...transfers, ...(await measureStarts(contestants, isQuick ? 1 : 5))]
}

/** Measures all that are there. A peer that is absent is left out. */
export async function measurePeers(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const sizes: Sizes = isQuick
    ? { oldFiles: 2000, smallFiles: 100, large: 64 * megabyte }
    : { oldFiles: 100_000, smallFiles: 500, large: 1024 * megabyte }
  const parent = await mkdtemp(join(tmpdir(), 'filestore-peers-'))
  try {
    const data = await makeDataFolder(join(parent, 'data'), sizes)
    return await withPlace(measuring, place =>
      withBareStarts(async (startBare, uploads) => {
        const own = await filestoreContestant(place, sizes)
        const peers = await findPeers(measuring, parent, data)
        return measureAll([own, bareContestant(startBare, uploads, data), ...peers], sizes, isQuick)
      }),
    )
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}
