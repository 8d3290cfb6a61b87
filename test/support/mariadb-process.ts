/** A MariaDB server of the test's own, which the test may stop, kill and start again. */

import { mkdtemp, rm } from 'node:fs/promises'
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

/** Skips the test when no MariaDB is installed. `options` are options of mariadbd for its first start. */
export async function createMariadb(context: TestContext, options: string[] = []): Promise<MariadbProcess> {
  if ((await execa('mariadbd', ['--version'], { reject: false })).failed) {
    skipBecause('mariadbd is not installed', context)
  }
  const folder = await mkdtemp(join(tmpdir(), 'filestore-mariadb-'))
  const data = `--datadir=${join(folder, 'data')}`
  // Each server needs a temporary folder of its own, because the files of two servers in one folder would collide.
  const env = { TMPDIR: folder }
  const asRoot = '--auth-root-authentication-method=normal'
  await execa('mariadb-install-db', ['--no-defaults', user, data, asRoot, '--skip-test-db'], { env })
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
    const place = [data, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`]
    const started = execa('mariadbd', ['--no-defaults', user, ...place, ...small, ...options], {
      env,
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

  await start(options)
  await run('CREATE DATABASE filestore')
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
