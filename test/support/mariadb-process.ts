/** A MariaDB server of the test's own, which the test may stop, kill and start again. */

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { execa, type ResultPromise } from 'execa'
import mysql from 'mysql2/promise'
import type { TestContext } from 'vitest'
import { findFreePort } from './free-port.ts'
import { skipBecause } from './skip.ts'

export interface MariadbProcess {
  /** The URL of an empty database, for `--database`. */
  url: string
  start(options?: string[]): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Runs statements as root, one after the other; returns the rows of the last. */
  run(...statements: string[]): Promise<Record<string, unknown>[]>
  remove(): Promise<void>
}

const small = ['--innodb-buffer-pool-size=32M', '--innodb-log-file-size=8M', '--skip-log-bin', '--skip-name-resolve']

/** mariadbd does not start as root unless this option names the user. */
const user = `--user=${userInfo().username}`

/** Each server needs a temporary folder of its own, because the files of two servers in one folder would collide. */
const environmentOf = (folder: string) => ({ TMPDIR: folder })
const dataOf = (folder: string) => join(folder, 'data')

/** Gives a folder the data of another one, whose server is stopped. */
export const copyData = (from: string, to: string): Promise<void> =>
  cp(dataOf(from), dataOf(to), { recursive: true, force: true })

/** Makes a folder with an empty server's data. Skips the test when no MariaDB is installed. */
export async function makeMariadbFolder(context: TestContext): Promise<string> {
  if ((await execa('mariadbd', ['--version'], { reject: false })).failed) {
    skipBecause('mariadbd is not installed', context)
  }
  const folder = await mkdtemp(join(tmpdir(), 'filestore-mariadb-'))
  const asRoot = '--auth-root-authentication-method=normal'
  const data = `--datadir=${dataOf(folder)}`
  const env = environmentOf(folder)
  await execa('mariadb-install-db', ['--no-defaults', user, data, asRoot, '--skip-test-db'], { env })
  return folder
}

/** A server that is not started yet, on the data of such a folder; its URL names a database that must be made. */
export async function openMariadb(folder: string): Promise<MariadbProcess> {
  const port = await findFreePort()
  const server = `mysql://root@127.0.0.1:${port}`
  let child: ResultPromise | undefined

  async function run(...statements: string[]): Promise<Record<string, unknown>[]> {
    const connection = await mysql.createConnection(server)
    try {
      let rows: unknown = []
      for (const statement of statements) [rows] = await connection.query(statement)
      return rows as Record<string, unknown>[]
    } finally {
      connection.destroy()
    }
  }

  async function start(options: string[] = []): Promise<void> {
    const data = `--datadir=${dataOf(folder)}`
    const place = [data, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`]
    const started = execa('mariadbd', ['--no-defaults', user, ...place, ...small, ...options], {
      env: environmentOf(folder),
      reject: false,
      forceKillAfterDelay: false,
    })
    child = started
    let ended = false
    started.finally(() => {
      ended = true
    })
    while (!(await run('SELECT 1').catch(() => null))) {
      if (ended) throw new Error(`mariadbd did not start: ${(await started).stderr}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    child?.kill(signal)
    await child
  }

  return {
    url: `${server}/filestore`,
    start,
    stop,
    run,
    remove: async () => {
      await stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Skips the test when no MariaDB is installed. `options` are options of mariadbd for its first start. */
export async function createMariadb(context: TestContext, options: string[] = []): Promise<MariadbProcess> {
  const mariadb = await openMariadb(await makeMariadbFolder(context))
  await mariadb.start(options)
  await mariadb.run('CREATE DATABASE filestore')
  return mariadb
}
