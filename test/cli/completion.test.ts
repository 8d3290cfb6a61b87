/** Shell completion: the printed scripts are loaded into the shell and asked. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { skipBecause } from '../support/skip.ts'
import { openTerminal, runCli } from './terminal.ts'

/** Loads the script, and asks it for completions at the end of a line. */
const questions = {
  bash: `source ./script; COMP_LINE=$1; COMP_POINT=\${#1}; _filestore; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The real compadd filters by prefix itself, so this replacement filters too.
  zsh: `compdef() { :; }; compadd() { print -rl -- \${(M)candidates:#\${PREFIX}*}; }; _files() { :; }
    source ./script; words=(\${(s: :)1}); [[ $1 == *' ' ]] && words+=(''); CURRENT=$#words; PREFIX=\${words[-1]}
    _filestore`,
}

type Shell = keyof typeof questions

const isThere = async (shell: Shell) => (await execa(shell, ['-c', 'true'], { reject: false })).exitCode === 0

async function complete(shell: Shell, lines: readonly string[], profiles: readonly string[] = []): Promise<string[][]> {
  const terminal = await openTerminal()
  await mkdir(terminal.configFolder, { recursive: true })
  for (const name of profiles) await writeFile(join(terminal.configFolder, name), '')
  const { code, stdout } = await runCli(terminal, ['completion', shell])
  expect(code).toBe(0)
  await writeFile(terminal.path('script'), stdout)
  const answers: string[][] = []
  for (const line of lines) {
    const quiet = shell === 'zsh' ? ['-f'] : []
    const answer = await execa(shell, [...quiet, '-c', questions[shell], shell, line], {
      cwd: terminal.folder,
      env: terminal.env,
    })
    expect(answer.stderr).toBe('')
    answers.push(answer.stdout.split('\n').filter(word => word !== ''))
  }
  return answers
}

describe.each(['bash', 'zsh'] as const)('completion for %s', shell => {
  test('offers commands, subcommands, options and their values', async context => {
    if (!(await isThere(shell))) skipBecause(`${shell} is not installed: .ci/tools`, context)
    const expected = {
      'filestore tr': ['tree', 'trash'],
      'filestore trash re': ['restore'],
      'filestore trash restore --j': ['--json'],
      'filestore ls --profile work --so': ['--sort'],
      'filestore share li': ['link', 'links'],
      'filestore share link /a --max': ['--max-downloads', '--max-bytes'],
      'filestore share edit-link 7 --level ': ['view', 'upload', 'both'],
      'filestore ls --sort ': ['name', 'date', 'size', 'type'],
      'filestore search x --status p': ['pending'],
      'filestore admin us': ['user'],
      'filestore admin link re': ['resume', 'revoke'],
      'filestore fsck --re': ['--restart', '--repair'],
      'filestore completion z': ['zsh'],
    }
    const answers = await complete(shell, Object.keys(expected))
    expect(answers).toEqual(Object.values(expected))
  })

  test('offers the stored profiles', async context => {
    if (!(await isThere(shell))) skipBecause(`${shell} is not installed: .ci/tools`, context)
    const lines = ['filestore ls --profile ', 'filestore ls --profile wo', 'filestore profiles use w']
    const answers = await complete(shell, lines, ['work.json', 'home.json', 'default-profile'])
    expect(answers.map(words => words.filter(word => !word.startsWith('-')))).toEqual([
      ['home', 'work'],
      ['work'],
      ['work'],
    ])
  })

  test('offers nothing for remote paths, and leaves local files to the shell', async context => {
    if (!(await isThere(shell))) skipBecause(`${shell} is not installed: .ci/tools`, context)
    const lines = ['filestore ls --profile ', 'filestore mv /a', 'filestore upload fil', 'filestore serve --data-dir s']
    expect(await complete(shell, lines)).toEqual([[], [], [], []])
  })
})

test('bash completes the part of a permission after the colon', async () => {
  expect(await complete('bash', ['filestore keys create x --permission files:r'])).toEqual([['read']])
})

test('an unsupported shell ends with code 2', async () => {
  expect((await runCli(await openTerminal(), ['completion', 'fish'])).code).toBe(2)
})
