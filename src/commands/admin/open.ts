/** Opens the server's own data for a command beside the server; only the first administrator's makes what is not there. */
import { existsSync } from 'node:fs'
import { type Config, type Flags, readConfig } from '../../config.ts'
import { toAppError } from '../../db/failures.ts'
import { migrateUp, refuseUnmigrated } from '../../db/migrate.ts'
import type { Deps, RowDeps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { openDeps, openRowDeps } from '../../server.ts'

function refuseMissing({ database }: Config): void {
  if (database.dialect !== 'sqlite' || existsSync(database.file)) return
  const advice = 'give --data-dir or --database as the server has them'
  throw new AppError('invalid_input', `There is no database at ${database.file}: ${advice}`)
}

/** What the database or the disk refused, under the code that says so and in its own words; all else as it is. */
function nameFailure(error: unknown): unknown {
  const known = toAppError(error)
  if (known === error || known.code === 'internal' || !(error instanceof Error)) return error
  return new AppError(known.code, `${known.message} (${error.message})`, { cause: error })
}

async function closeAfter<Opened extends RowDeps, Result>(
  deps: Opened,
  work: (deps: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    await refuseUnmigrated(deps.db)
    return await work(deps)
  } catch (error) {
    throw nameFailure(error)
  } finally {
    await deps.db.close()
  }
}

/** Works on all of the server's data, which is made where it is not there yet. */
export async function withNew<Result>(flags: Flags, work: (deps: Deps) => Promise<Result>): Promise<Result> {
  const config = readConfig(flags)
  await migrateUp(config.database)
  return closeAfter(await openDeps(config), work)
}

/**
 * Works on the server's rows, also while it runs. Throws `invalid_input` where there is no database, or one without
 * tables, and `unavailable` where the tables are those of another version.
 */
export async function withRows<Result>(flags: Flags, work: (deps: RowDeps) => Promise<Result>): Promise<Result> {
  const config = readConfig(flags)
  refuseMissing(config)
  return closeAfter(await openRowDeps(config), work)
}

/** The same with the files' bytes. Throws `invalid_input` where their folder is not there, too. */
export async function withFiles<Result>(flags: Flags, work: (deps: Deps) => Promise<Result>): Promise<Result> {
  const config = readConfig(flags)
  refuseMissing(config)
  if (!existsSync(config.storage)) {
    const advice = 'give --data-dir or --storage as the server has them'
    throw new AppError('invalid_input', `There is no folder of bytes at ${config.storage}: ${advice}`)
  }
  return closeAfter(await openDeps(config), work)
}
