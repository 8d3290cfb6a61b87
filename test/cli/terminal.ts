/** Runs the program as a user at a new terminal would, with an empty home and an empty working folder. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options } from 'execa'
import { expect, onTestFinished, vi } from 'vitest'
import { runProgram } from '../support/program.ts'

const binary = fileURLToPath(new URL('../../bin/filestore.cjs', import.meta.url))

export interface Terminal {
  /** The working folder. */
  folder: string
  /** The folder of the profiles. */
  configFolder: string
  /** The platform, where it differs from this machine's. */
  platform?: NodeJS.Platform
  /** The environment of every run. A test may add to it. */
  env: Record<string, string>
  /** The names in the working folder, sorted. */
  names(): Promise<string[]>
  /** The path of a name in the working folder. */
  path(name: string): string
}

/** Makes the two folders, and deletes them when the test ends. */
export async function openTerminal(env: Record<string, string> = {}): Promise<Terminal> {
  const home = await mkdtemp(join(tmpdir(), 'filestore-home-'))
  const folder = await mkdtemp(join(tmpdir(), 'filestore-cli-'))
  onTestFinished(async () => {
    await rm(home, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })
  return {
    folder,
    configFolder: join(home, 'config', 'filestore'),
    env: { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), TZ: 'UTC', ...env },
    names: async () => (await readdir(folder)).sort(),
    path: name => join(folder, name),
  }
}

/** Starts `filestore <args>` as a process. The promise resolves whatever the exit code is. */
export function startCli<Given extends Options>(terminal: Terminal, args: readonly string[], options?: Given) {
  return execa(process.execPath, [binary, ...args], {
    cwd: terminal.folder,
    env: terminal.env,
    extendEnv: false,
    reject: false,
    ...(options as Given),
  })
}

interface Outcome {
  code: number | undefined
  stdout: string
  stderr: string
}

/** Runs `filestore <args>` to its end in the test's own process. */
export async function runCli(terminal: Terminal, args: readonly string[], input = ''): Promise<Outcome> {
  const { folder, env, platform } = terminal
  const { exitCode, ...printed } = await runProgram(args, { cwd: folder, env, input, platform })
  return { code: exitCode, ...printed }
}

/** Runs it as a process instead, for tests about processes and for behaviour of the built binary only. */
export async function spawnCli(terminal: Terminal, args: readonly string[], input = ''): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await startCli(terminal, args, { input })
  return { code: exitCode, stdout: String(stdout), stderr: String(stderr) }
}

interface TtyOptions {
  columns?: number
  rows?: number
  /** A file with the device of the terminal and the id of the process. */
  facts?: string
}

/** `filestore <args>` quoted for a shell. */
export const shellCall = (args: readonly string[]): string =>
  [process.execPath, binary, ...args].map(part => `'${part}'`).join(' ')

/** Runs a shell command on a pseudo-terminal. Text written to its stdin is typed. */
export function runOnTty(terminal: Terminal, command: string) {
  return execa('script', ['-qefc', command, '/dev/null'], {
    cwd: terminal.folder,
    env: { ...terminal.env, PATH: process.env.PATH ?? '', TERM: 'xterm' },
    extendEnv: false,
    reject: false,
  })
}

/** Runs `filestore <args>` on a pseudo-terminal of 80 columns by default. Text written to its stdin is typed. */
export function startOnTty(
  terminal: Terminal,
  args: readonly string[],
  { columns = 80, rows = 24, facts = '/dev/null' }: TtyOptions = {},
) {
  const size = `stty cols ${columns} rows ${rows}`
  return runOnTty(terminal, `${size}; { tty; echo $$; } >'${facts}'; exec ${shellCall(args)}`)
}

/** Runs `filestore <args>` on a terminal, and types each answer when its question is on the screen. */
export async function talk(
  terminal: Terminal,
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
) {
  const running = startOnTty(terminal, args)
  let screen = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
  })
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(screen).toContain(question), { timeout: 30_000 })
    running.stdin.write(answer)
  }
  const { exitCode, stdout } = await running
  return { exitCode, screen: stdout }
}
