/** `filestore serve`: migrates, creates the first administrator, and listens until it is told to stop. */
import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoAccount } from '../api/page.ts'
import { systemClock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { openLog } from '../base/log.ts'
import { makeFolder } from '../base/make-folder.ts'
import { hostOfDownloads } from '../blobs/open-store.ts'
import { type Config, readConfig } from '../config.ts'
import type { Flags } from '../config-options.ts'
import { dropMigrationCopy, migrateUp } from '../db/migrate.ts'
import { withServerLock } from '../db/server-lock.ts'
import type { Deps } from '../deps.ts'
import { warnOfDatabaseLimits } from '../server/database-limits.ts'
import { closeDeps, openDeps } from '../server/open-deps.ts'
import type { RunningServer } from '../server/server.ts'
import { createFirstAdmin, firstAdminName, type PasswordKeeper } from '../users/first-admin.ts'
import { version } from '../version.ts'
import type { RunningCrew } from '../workers/primary.ts'
import { prepareDemo } from './demo/demo.ts'
import { letHeapGrow } from './heap-growth.ts'
import { withConfig } from './open.ts'

export interface Terminal {
  print(line: string): void
  /** Whether a person reads the output. If not, it is a service's log, which must not contain a secret. */
  isInteractive: boolean
}

const describeDatabase = ({ database }: Config): string =>
  database.dialect === 'sqlite' ? `SQLite, ${database.file}` : `MariaDB, ${new URL(database.url).host}`

/**
 * Opens the place that shows the first administrator's password, once: the terminal, or a file that only its owner can
 * read. The file is written before the administrator is in the database, so that no crash can lose the password. Until
 * then it has a random name, because another process may be starting too.
 */
function openKeeper({ dataDir }: Config, { isInteractive }: Terminal): PasswordKeeper & { tell(): Promise<string> } {
  const file = join(dataDir, 'first-admin-password.txt')
  const draft = join(dataDir, `first-admin-password-${randomUUID()}.txt`)
  let told = ''
  return {
    keep: async password => {
      told = password
      if (isInteractive) return
      await makeFolder(dataDir)
      await writeFile(draft, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true })
    },
    undo: () => rm(draft, { force: true }),
    tell: async () => {
      if (isInteractive) return `password: ${told}`
      await rename(draft, file)
      return `password in ${file}`
    },
  }
}

async function announceAdmin(deps: Deps, terminal: Terminal): Promise<void> {
  const keeper = openKeeper(deps.config, terminal)
  if (!(await createFirstAdmin(deps, keeper))) return
  if (deps.config.adminPassword !== null) {
    terminal.print(`First administrator: ${firstAdminName}, with the password of FILESTORE_ADMIN_PASSWORD`)
    return
  }
  terminal.print(`First administrator: ${firstAdminName}, ${await keeper.tell()}`)
  terminal.print('It is told this once and must be changed at the first sign-in.')
}

/**
 * Throws `invalid_input` for several workers on SQLite: the process keeps state in memory that others would not see.
 */
function refuseWorkers({ database, workers }: Config): void {
  if (workers === 1 || database.dialect === 'mariadb') return
  const reason = 'a SQLite database has one server process; for more of them give a MariaDB with --database'
  throw new AppError('invalid_input', `--workers: ${workers} is too many: ${reason}`)
}

/**
 * Throws `invalid_input` where downloads would be sent to the page's own host, whose cookies the store would get, and where
 * nobody can tell.
 */
function refuseOwnHost(config: Config): void {
  const { publicUrl } = config
  const host = hostOfDownloads(config)
  if (host === null) return
  if (publicUrl === null) throw new AppError('invalid_input', '--storage: redirect=1 needs --public-url')
  if (host !== new URL(publicUrl).hostname) return
  const reason = `${host} is the host of --public-url, and browsers would send its cookies to the store`
  throw new AppError('invalid_input', `--storage: redirect=1: ${reason}: give the store a name of its own`)
}

/** Whether the command line contains a password, which every user of the machine can read. */
const showsPassword = ({ database }: Flags): boolean => database !== undefined && new URL(database).password !== ''

const shownPassword =
  'the list of processes shows the password in --database to every user of this machine: give it in FILESTORE_DATABASE instead'

/**
 * Whether the primary forked this process as a worker. `workers` is checked too, because another program may fork this
 * one with `cluster`.
 */
const isWorkerOf = (flags: Flags): boolean => cluster.isWorker && readConfig(flags).workers > 1

/**
 * Runs the server until SIGINT or SIGTERM; then running requests finish or are cut, and everything closes. Throws like
 * `withConfig`, and `in_use` if the SQLite database already has a server.
 */
export async function serve(flags: Flags, terminal: Terminal): Promise<void> {
  if (isWorkerOf(flags)) {
    const { runWorker } = await import('../workers/worker.ts')
    letHeapGrow()
    return runWorker(work => withConfig(flags, work))
  }
  return withConfig(flags, async config => {
    refuseWorkers(config)
    refuseOwnHost(config)
    if (showsPassword(flags)) openLog(config.logLevel).warn(shownPassword)
    const migrated = await migrateUp(config.database)
    await withServerLock(config.database, () => serveOn(config, terminal, migrated))
  })
}

/** Starts the server. With more than one worker this process only leads them, and answers no requests itself. */
async function start(deps: Deps, demoAccounts: readonly DemoAccount[]): Promise<RunningServer | RunningCrew> {
  if (deps.config.workers === 1) {
    const { startServer } = await import('../server/server.ts')
    return startServer(deps, { demoAccounts })
  }
  const { startWorkers } = await import('../workers/primary.ts')
  return startWorkers(deps, demoAccounts)
}

async function serveOn(config: Config, terminal: Terminal, migrated: readonly string[]): Promise<void> {
  const deps = await openDeps(config, systemClock, randomUUID())
  try {
    if (migrated.length > 0) deps.log.info({ migrated }, 'migrated the database')
    await warnOfDatabaseLimits(deps)
    // With another secret than the database's, the server does not start.
    await deps.seal()
    // Do this before listening: whoever finds the server ready can sign in, and if the port is in use, the password has
    // already been shown.
    const demoAccounts = config.demo ? await prepareDemo(deps) : []
    for (const { username, password } of demoAccounts) terminal.print(`Demo      ${username}, password ${password}`)
    await announceAdmin(deps, terminal)
    const server = await start(deps, demoAccounts)
    if (migrated.length === 0) await dropMigrationCopy(config.database)
    letHeapGrow()
    await run(server, terminal)
  } finally {
    await closeDeps(deps)
  }
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const
/**
 * Milliseconds during which a second signal counts as the first: npm passes on a Ctrl-C that the terminal already sent.
 */
const sameSignal = 500

/** `stop` aborts at the first SIGINT or SIGTERM, `end` at the second; a third one kills. */
function listenForSignals(): { stop: AbortSignal; end: AbortSignal } {
  const [stop, end] = [new AbortController(), new AbortController()]
  let stoppedAt = 0
  const hear = () => {
    if (!stop.signal.aborted) {
      stoppedAt = performance.now()
      stop.abort()
    } else if (performance.now() - stoppedAt > sameSignal) {
      for (const signal of stopSignals) process.off(signal, hear)
      end.abort()
    }
  }
  for (const signal of stopSignals) process.on(signal, hear)
  return { stop: stop.signal, end: end.signal }
}

/** Prints where the server is, and closes it at SIGINT or SIGTERM. */
async function run(server: RunningServer | RunningCrew, terminal: Terminal): Promise<void> {
  const { config, log, store } = server.deps
  const { stop, end } = listenForSignals()
  terminal.print(`Database  ${describeDatabase(config)}`)
  terminal.print(`Files     ${store.name}`)
  if (config.publicUrl !== null) terminal.print(`Public    ${config.publicUrl}`)
  terminal.print(`filestore ${version} is ready at ${server.url}`)
  const failure = server.failure.then(undefined, (error: unknown) => ({ error }))
  const failed = stop.aborted ? undefined : await Promise.race([once(stop, 'abort').then(() => undefined), failure])
  log.info('stopping: running requests finish, unless a second signal ends them')
  // A server that cannot go on cuts them.
  const cut = await server.close(failed === undefined ? end : AbortSignal.abort())
  if (cut > 0) log.warn({ cut }, 'requests were cut')
  log.info('stopped')
  if (failed !== undefined) throw failed.error
}
