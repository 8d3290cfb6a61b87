/** Runs `filestore fsck --json` beside a test server. */
import type { Finding } from '../../src/commands/fsck/finding.ts'
import type { FsckSummary } from '../../src/commands/fsck/fsck.ts'
import type { TestServer } from '../support/server.ts'
import { runOn } from './administration.ts'

export interface FsckOutcome extends FsckSummary {
  code: number | undefined
  stderr: string
  findings: Finding[]
}

export async function runFsck(
  server: Pick<TestServer, 'dataDir' | 'databaseFlag'>,
  ...args: string[]
): Promise<FsckOutcome> {
  const { code, stdout, stderr } = await runOn(server, ['fsck', '--json', ...args])
  if (stdout === '') throw new Error(stderr)
  return { code, stderr, ...(JSON.parse(stdout) as FsckSummary & { findings: Finding[] }) }
}
