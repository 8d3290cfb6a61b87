/** Runs `filestore admin` beside a test server, on the data of that server. */
import { expect } from 'vitest'
import { runBinary } from '../support/binary.ts'
import { runProgram } from '../support/program.ts'
import type { TestServer } from '../support/test-server.ts'

interface Outcome {
  code: number | undefined
  stdout: string
  stderr: string
}

/** Expects that a command failed with this code and message, and printed no data. */
export function expectRefusal(outcome: Outcome, code: number, words: string): void {
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(outcome.stderr).toContain(words)
}

/** Where the data of a test server is. */
export type Place = Pick<TestServer, 'dataDir' | 'databaseFlag'> & Partial<Pick<TestServer, 'storageFlag'>>

/** The flags that let another process use the data of a test server. */
export const dataFlags = ({ dataDir, databaseFlag, storageFlag }: Place): string[] => [
  '--data-dir',
  dataDir,
  ...(databaseFlag === undefined ? [] : ['--database', databaseFlag]),
  ...(storageFlag === undefined ? [] : ['--storage', storageFlag]),
]

// Tests also run on small disks.
const baseEnv = { TZ: 'UTC', FILESTORE_MIN_FREE_SPACE: '0' }

/**
 * Runs a `filestore` command to its end in the test's own process, without a terminal. `stdin` is its standard input.
 */
export async function runOn(
  server: Place,
  args: readonly string[],
  stdin = '',
  given: Record<string, string> = {},
): Promise<Outcome> {
  const env = { ...process.env, ...baseEnv, ...given }
  const { exitCode, ...printed } = await runProgram([...args, ...dataFlags(server)], { env, input: stdin })
  return { code: exitCode, ...printed }
}

/** Runs it as a process instead, for tests about processes and about changes that another process makes. */
export async function spawnOn(
  server: Place,
  args: readonly string[],
  stdin = '',
  given: Record<string, string> = {},
): Promise<Outcome> {
  const env = { ...baseEnv, ...given }
  const { exitCode, stdout, stderr } = await runBinary([...args, ...dataFlags(server)], { env, input: stdin })
  return { code: exitCode, stdout, stderr }
}

/** Runs `filestore admin … --json`, and returns the document. Throws when the command fails. */
export async function readJson(server: Place, args: readonly string[], stdin = ''): Promise<unknown> {
  const { code, stdout, stderr } = await runOn(server, ['admin', ...args, '--json'], stdin)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
