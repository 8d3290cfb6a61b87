/** Runs `filestore fsck --json` beside a test server. */
import type { Finding } from '../../src/commands/fsck/finding.ts'
import type { FsckSummary } from '../../src/commands/fsck/fsck.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn, spawnOn } from './administration.ts'

export interface FsckOutcome extends FsckSummary {
  code: number | undefined
  stderr: string
  findings: Finding[]
}

type Site = Pick<TestServer, 'dataDir' | 'databaseFlag'>

async function readFsck(run: typeof runOn, site: Site, args: readonly string[]): Promise<FsckOutcome> {
  const { code, stdout, stderr } = await run(site, ['fsck', '--json', ...args])
  if (stdout === '') throw new Error(stderr)
  return { code, stderr, ...(JSON.parse(stdout) as FsckSummary & { findings: Finding[] }) }
}

export const runFsck = (site: Site, ...args: string[]): Promise<FsckOutcome> => readFsck(runOn, site, args)

/** Runs it as a process with its own environment. */
export const runFsckWith = (env: Record<string, string>, site: Site, ...args: string[]): Promise<FsckOutcome> =>
  readFsck((place, all) => spawnOn(place, all, '', env), site, args)

/** Runs it as a process, so that the test's server continues meanwhile. */
export const spawnFsck = (site: Site, ...args: string[]): Promise<FsckOutcome> => readFsck(spawnOn, site, args)
