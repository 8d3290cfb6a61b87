/** The progress of `fsck --hash`, in a file next to the bytes, so that the next run can resume it. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { systemCode } from '../../base/errors.ts'
import { withFileLock } from '../../db/file-lock.ts'
import type { Deps } from '../../deps.ts'
import type { Check } from './finding.ts'

const form = z.object({
  started_at: z.string(),
  /** The id of the last hashed content; they are hashed in the order of ids. */
  after: z.int(),
  bytes: z.int(),
  /** Ids of contents found damaged, which the next run checks again. */
  damaged: z.array(z.int()),
})
type HashProgress = z.output<typeof form>

/** ms between two saves; after kill -9 the work since the last save is repeated. */
const saveInterval = 2000

export interface HashRun {
  /** The run that this one resumes; null for a new one. */
  readonly resumed: HashProgress | null
  readonly progress: HashProgress
  /** Records that everything up to this content is hashed, and saves the progress from time to time. */
  note(blobId: number, bytes: number): Promise<void>
  save(): Promise<void>
  /** Everything has been hashed. */
  end(): Promise<void>
}

async function read(path: string): Promise<HashProgress | null> {
  try {
    return form.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null
  } catch (error) {
    // Without a valid file the run starts new.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

/** The progress file: next to the bytes, or in the data folder for a store that is not local. */
const progressOf = ({ config, store }: Pick<Deps, 'config' | 'store'>): string =>
  join(store.local?.folder ?? config.dataDir, 'fsck-progress.json')

/** Runs something while no other process hashes the same store: two would share one progress file. */
export const whileAlone = <T>(deps: Deps, work: () => Promise<T>): Promise<T> =>
  withFileLock(
    `${progressOf(deps)}.lock`,
    `Another 'fsck --hash' reads ${deps.store.name}: wait until it has ended, or stop it`,
    work,
  )

/** Resumes the previous run, or starts a new one. Call it inside `whileAlone`. */
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
