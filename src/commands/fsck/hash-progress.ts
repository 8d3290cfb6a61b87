/** How far a run of `fsck --hash` has come, in a file beside the bytes, so that the next one goes on behind it. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { systemCode } from '../../base/errors.ts'
import { withFileLock } from '../../db/file-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Check } from './finding.ts'

const form = z.object({
  started_at: z.string(),
  /** The last content that was hashed: they go by their ids. */
  after: z.int(),
  bytes: z.int(),
  /** Contents that were found damaged, to be looked at again. */
  damaged: z.array(z.int()),
})
type HashProgress = z.output<typeof form>

/** ms between two notes of it; what is hashed in between, kill -9 makes to be hashed again. */
const saveInterval = 2000

export interface HashRun {
  /** What an earlier run has left; null where this one begins. */
  readonly resumed: HashProgress | null
  readonly progress: HashProgress
  /** Notes that all up to this content has been hashed, and writes it down from time to time. */
  note(blobId: number, bytes: number): Promise<void>
  save(): Promise<void>
  /** All has been hashed. */
  end(): Promise<void>
}

async function read(path: string): Promise<HashProgress | null> {
  try {
    return form.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null
  } catch (error) {
    // Half a file, or none: the run begins anew.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

/** It lies beside the bytes, or in the data folder where the store has no files on this machine. */
const progressOf = ({ config, store }: Pick<Deps, 'config' | 'store'>): string =>
  join(store.local?.folder ?? config.dataDir, 'fsck-progress.json')

/** Runs something while no other process hashes the same store: the two would take each other's progress for their own. */
export const whileAlone = <T>(deps: Deps, work: () => Promise<T>): Promise<T> =>
  withFileLock(
    `${progressOf(deps)}.lock`,
    `Another 'fsck --hash' reads ${deps.store.name}: wait until it has ended, or stop it`,
    work,
  )

/** Goes on with the run before, or begins one. Wants `whileAlone` around it. */
export async function openHashRun({ deps, options: { restart } }: Check): Promise<HashRun> {
  const { clock } = deps
  const path = progressOf(deps)
  const resumed = restart ? null : await read(path)
  const begun = { started_at: new Date(clock.now()).toISOString(), after: 0, bytes: 0, damaged: [] }
  const progress: HashProgress = resumed === null ? begun : structuredClone(resumed)
  let savedAt = clock.monotonic()
  const save = async () => {
    savedAt = clock.monotonic()
    await writeFile(`${path}.new`, JSON.stringify(progress), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return {
    resumed,
    progress,
    note: async (blobId, bytes) => {
      progress.after = blobId
      progress.bytes += bytes
      if (clock.monotonic() - savedAt > saveInterval) await save()
    },
    save,
    end: () => rm(path, { force: true }),
  }
}
