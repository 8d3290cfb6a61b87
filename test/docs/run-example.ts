/**
 * Runs an example of docs/api.md as a reader would: saved as a file in its own folder, with the environment that it
 * needs.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { onTestFinished, type TestContext } from 'vitest'
import { skipBecause } from '../support/skip.ts'
import { type Block, blocks, codeWords, rowsOf } from './document.ts'

/** The languages of the blocks, as in the document's table on how to run them. */
const tableNames = { bash: 'bash', python: 'Python', javascript: 'Node.js', go: 'Go' } as const
export type Language = keyof typeof tableNames
export const languages = Object.keys(tableNames) as Language[]

interface HowToRun {
  fileName: string
  command: string
  args: string[]
}

/** The file name and the command that the document gives. */
function howToRun(language: Language): HowToRun {
  const row = rowsOf('Code Examples').find(([name]) => name?.startsWith(tableNames[language]))
  const [fileName = ''] = codeWords(row?.[1] ?? '')
  const [command = '', ...args] = (codeWords(row?.[2] ?? '')[0] ?? '').split(' ')
  return { fileName, command, args }
}

/** The variables that the document asks the reader to set: address, id and secret, in this order. */
const variables = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => [...code.matchAll(/^export (\w+)=/gm)].map(([, name]) => name ?? ''))

export interface Credentials {
  url: string
  keyId: string
  secret: string
}

export interface Outcome {
  exitCode: number | undefined
  stdout: string
  stderr: string
  /** The folder of the run. */
  folder: string
}

/** Runs a block to its end with only the document's variables, HOME and PATH in its environment. */
export async function runExample(block: Block, { url, keyId, secret }: Credentials): Promise<Outcome> {
  const { fileName, command, args } = howToRun(block.language as Language)
  const folder = await mkdtemp(join(tmpdir(), 'filestore-example-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, fileName), block.code)
  const values = [url, keyId, secret]
  const { exitCode, stdout, stderr } = await execa(command, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      // Go's build cache: compiling the standard library takes half a minute.
      HOME: process.env.HOME,
      ...Object.fromEntries(variables.map((name, index) => [name, values[index]])),
    },
    extendEnv: false,
    reject: false,
  })
  return { exitCode, stdout, stderr, folder }
}

/** Skips a Go example with a reason when Go is not installed. */
export async function needToolchain(language: string, context: TestContext): Promise<void> {
  if (language !== 'go' || !(await execa('go', ['version'], { reject: false })).failed) return
  skipBecause('no Go toolchain is installed', context)
}
