/** Takes a snapshot of rows and files as they are at one moment, also while the server runs. */
import { findMigrations } from '../../db/migrate.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { version } from '../../version.ts'
import { type Copied, OutdatedError } from './blobs.ts'
import type { CopyOptions } from './contents.ts'
import { withHold } from './hold.ts'
import { type Manifest, snapshotName, type TableParts } from './manifest.ts'
import { type RowPlace, saveRows } from './rows.ts'

interface Taken {
  manifest: Manifest
  copied: Copied
}

/** Brings the contents that the rows of some tables name. Throws as `saveBlobs`. */
type SaveContents = (tables: TableParts[]) => Promise<Copied>

/** How often rows are read anew where a hold did not last. */
const maxTries = 3

async function trySnapshot(deps: Deps, rows: RowPlace, save: SaveContents, options: CopyOptions): Promise<Taken> {
  const time = new Date(deps.clock.now())
  const migrations = await findMigrations(deps.db)
  const tables = await saveRows(deps.db, rows, options)
  const copied = await save(tables)
  const manifest: Manifest = {
    format: 1,
    snapshot: snapshotName(time),
    time: time.toISOString(),
    version,
    dialect: deps.db.dialect,
    migrations,
    tables,
    contents: { count: copied.count, bytes: copied.bytes },
    lost: copied.lost_count,
  }
  return { manifest, copied }
}

/**
 * Rows and contents that fit each other, without the manifest that makes them count; `save` may be called again. Throws
 * `unavailable` where contents were deleted under its hands again and again.
 */
export const takeSnapshot = (deps: Deps, rows: RowPlace, save: SaveContents, options: CopyOptions): Promise<Taken> =>
  withHold(deps, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await trySnapshot(deps, rows, save, options)
      } catch (error) {
        if (!(error instanceof OutdatedError)) throw error
        if (attempt < maxTries) continue
        throw new AppError('unavailable', 'Files were deleted while they were copied, try again', { cause: error })
      }
    }
  })
