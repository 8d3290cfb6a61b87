/** `filestore serve`: migrates, makes the first administrator, listens until it is told to stop. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, type Flags, readConfig } from '../config.ts'
import { migrateUp } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { openDeps, type RunningServer, startServer } from '../server.ts'
import { createFirstAdmin } from '../users/first-admin.ts'
import { version } from '../version.ts'

export interface Terminal {
  print(line: string): void
  /** Whether a person reads along; a service's log must not hold a secret. */
  isInteractive: boolean
}

const describeDatabase = ({ database }: Config): string =>
  database.dialect === 'sqlite' ? `SQLite, ${database.file}` : `MariaDB, ${new URL(database.url).host}`

/** Tells the first administrator's password once: on the terminal, or in a file that only its owner can read. */
async function announceAdmin(deps: Deps, terminal: Terminal): Promise<void> {
  const admin = await createFirstAdmin(deps)
  if (admin === null) return
  if (admin.password === null) {
    terminal.print(`First administrator: ${admin.username}, with the password of FILESTORE_ADMIN_PASSWORD`)
    return
  }
  if (terminal.isInteractive) {
    terminal.print(`First administrator: ${admin.username}, password: ${admin.password}`)
  } else {
    const file = join(deps.config.dataDir, 'first-admin-password.txt')
    await rm(file, { force: true })
    await writeFile(file, `${admin.password}\n`, { mode: 0o600, flag: 'wx' })
    terminal.print(`First administrator: ${admin.username}, password in ${file}`)
  }
  terminal.print('The password is told this once and must be changed at the first sign-in.')
}

/** Resolves when SIGINT or SIGTERM has been answered: running requests finish, then everything closes. */
export async function serve(flags: Flags, terminal: Terminal): Promise<void> {
  const config = readConfig(flags)
  const migrated = await migrateUp(config.database)
  const deps = await openDeps(config)
  try {
    if (migrated.length > 0) deps.log.info({ migrated }, 'migrated the database')
    // Before it listens: whoever finds it ready can sign in, and no password is lost to a port that is in use.
    await announceAdmin(deps, terminal)
    await run(await startServer(deps), terminal)
  } finally {
    await deps.db.close()
  }
}

/** Says where the server is, and closes it at SIGINT or SIGTERM. */
async function run(server: RunningServer, terminal: Terminal): Promise<void> {
  const { config, log } = server.deps
  const stopped = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  terminal.print(`Database  ${describeDatabase(config)}`)
  terminal.print(`Files     ${config.storage}`)
  if (config.publicUrl !== null) terminal.print(`Public    ${config.publicUrl}`)
  terminal.print(`filestore ${version} is ready at ${server.url}`)
  await stopped
  log.info('stopping')
  await server.close()
}
