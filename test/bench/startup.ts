/** The start time of the program as a server and as a command. */
import { execa } from 'execa'
import { getProfile } from '../../src/api/auth.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { withBareStarts } from './bare.ts'
import { readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { binary, password, startProduct, withPlace, withProduct } from './product.ts'
import type { ServerProcess } from './server-process.ts'
import type { Bound, Row } from './table.ts'

/** Milliseconds from the start of a server's process to its first answer, which must be a 200. */
async function timeStart(
  start: () => Promise<ServerProcess>,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const began = performance.now()
  const server = await start()
  await readBytes({ url: server.url, headers }, path)
  const passed = performance.now() - began
  await server.stop()
  return passed
}

/** The headers of a device key, as the client sends them. */
const createKey = (place: Place): Promise<Record<string, string>> =>
  withProduct(place, async client => {
    const key = await client.call(createApiKey, {
      name: 'start',
      kind: 'device',
      current_password: password,
      permissions: ['files:read'],
    })
    return { 'x-api-key-id': key.key_id, 'x-api-secret': key.secret }
  })

const runNode = (...args: string[]): Promise<number> => timed(() => execa(process.execPath, args))

async function sample(place: Place, isQuick: boolean) {
  await changeRows(place, async (db, owner) => {
    await plantEntries(db, owner, await plantFolder(db, owner, null, 'Huge'), isQuick ? 1_000 : 100_000)
  })
  const key = await createKey(place)
  const list = [binary, 'admin', 'user', 'list', '--data-dir', place.config.dataDir]
  if (place.databaseFlag !== undefined) list.push('--database', place.databaseFlag)
  return withBareStarts(startBare =>
    interleave(isQuick ? 3 : 15, [
      () => timeStart(() => startProduct(place), `/api${getProfile.path}`, key),
      () => timeStart(startBare, `/?file=${encodeURIComponent(binary)}`),
      () => runNode(...list),
      () => runNode(binary, '--help'),
      () => runNode('--eval', '0'),
    ]),
  )
}

export async function measureStartup(measuring: Measuring): Promise<Row[]> {
  const [start, bareStart, list, help, bare] = await withPlace(measuring, place => sample(place, measuring.isQuick))
  const reference = { name: 'bare node', figures: summarize(bare) }
  const within = (limit: number): Bound => ({ of: 'median', side: 'at most', limit })
  return [
    {
      name: 'start to first answer by key',
      unit: 'ms',
      value: summarize(start),
      reference: { name: 'bare server', figures: summarize(bareStart) },
      bound: within(380),
    },
    { name: 'filestore admin user list', unit: 'ms', value: summarize(list), reference, bound: within(500) },
    { name: 'filestore --help', unit: 'ms', value: summarize(help), reference, bound: within(250) },
  ]
}
