/** The product as users run it: the built program in its own process, over HTTP. */
import type { WriteStream } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from '../../src/api/files.ts'
import { type Client, signIn } from './client.ts'
import type { Measuring } from './options.ts'
import { createPlace, type Place } from './place.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export const binary = join(import.meta.dirname, '../../bin/filestore.cjs')

/** The password of the administrator `admin`. */
export const password = 'measured in megabytes'

/** Starts `filestore serve` on a place with these additional flags, which override others. */
export function startProduct(
  { config, databaseFlag, nodeFlags }: Place,
  flags: readonly string[] = [],
  stderr: 'inherit' | WriteStream = 'inherit',
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const database = databaseFlag === undefined ? [] : ['--database', databaseFlag]
  return startServerProcess(
    [
      ...nodeFlags,
      binary,
      'serve',
      '--port',
      '0',
      '--data-dir',
      config.dataDir,
      '--log-level',
      'error',
      ...database,
      ...flags,
    ],
    { ...env, FILESTORE_ADMIN_PASSWORD: password },
    stderr,
  )
}

/** Lends a place on which the server has run once to make its tables and administrator; then deletes it. */
export async function withPlace<T>(measuring: Measuring, use: (place: Place) => Promise<T>): Promise<T> {
  const place = await createPlace(measuring)
  try {
    await (await startProduct(place)).stop()
    return await use(place)
  } finally {
    await place.remove()
  }
}

/** Lends a running server, and a client whose administrator has signed in and listed the root as the page does. */
export async function withProduct<T>(
  place: Place,
  use: (client: Client, product: ServerProcess) => Promise<T>,
  flags?: readonly string[],
): Promise<T> {
  const product = await startProduct(place, flags)
  try {
    const client = await signIn(product.url, 'admin', password)
    await client.call(listFiles, {})
    return await use(client, product)
  } finally {
    await product.stop()
  }
}
