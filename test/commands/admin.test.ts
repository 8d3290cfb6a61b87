/** `filestore admin create`, and the program's own options. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { runProgram } from '../support/program.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-admin-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

describe('filestore', () => {
  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
    expect(await runBinary(['--version'])).toMatchObject({ stdout: version, exitCode: 0 })
  })

  test('--help names every command, and serve --help every flag with its default and variable', async () => {
    const help = await runBinary(['--help'])
    expect(help.exitCode).toBe(0)
    for (const command of ['serve', 'migrate', 'admin', 'login', 'logout', 'ls', 'upload', 'download']) {
      expect(help.stdout).toContain(command)
    }
    const serve = await runBinary(['serve', '--help'])
    expect(serve.stdout).toContain('--max-file-size')
    expect(serve.stdout.replace(/\s+/g, ' ')).toContain('(default: 32MB; FILESTORE_MAX_FILE_SIZE)')
  })

  test.each(['serve', 'admin', 'migrate'])('%s --help shows examples and the exit codes', async command => {
    const { stdout } = await runBinary([command, '--help'])
    expect(stdout).toMatch(new RegExp(`^Examples:\\n  filestore ${command} `, 'm'))
    expect(stdout).toMatch(/^Exit codes:\n {2}0 +done/m)
  })

  test('an unknown command ends with exit code 2', async () => {
    const result = await runBinary(['no-such-command'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('no-such-command')
  })
})

describe('filestore admin create', () => {
  const create = (args: string[], input: string) =>
    runProgram(['admin', 'create', '--data-dir', dataDir, '--password-stdin', ...args], { input })
  const ann = ['--username', 'ann', '--email', 'ann@example.org', '--full-name', 'Ann Archer']

  test('makes an administrator beside a running server, who can sign in at once', async () => {
    const server = await serveBinary(['--data-dir', dataDir], { FILESTORE_ADMIN_PASSWORD: 'some password' })
    expect(await create(ann, 'a password of hers\n')).toMatchObject({
      exitCode: 0,
      stdout: 'Administrator ann was created',
    })
    const client = await signIn(server.url, 'ann', 'a password of hers')
    expect(await client.call(getProfile, {})).toMatchObject({
      username: 'ann',
      full_name: 'Ann Archer',
      role: 'admin',
      must_change_password: false,
    })
    await server.stop()
  })

  test('--json prints the user, and wrong input leaves no half-made database', async () => {
    expect((await create(['--username', 'b ob', '--email', 'bob@example.org'], 'long enough')).exitCode).toBe(2)
    expect(await readdir(dataDir)).toEqual([])
    const { stdout } = await create([...ann, '--json'], 'a password of hers\n')
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, username: 'ann', role: 'admin', is_active: true })
  })

  test('refuses a name that differs only in case from another with exit code 5', async () => {
    await create(ann, 'a password of hers\n')
    const guise = ['--username', 'ANN', '--email', 'other@example.org']
    const result = await create(guise, 'a password of hers\n')
    expect(result.exitCode).toBe(5)
    expect(result.stderr).toContain("'ANN' is already taken")
  })

  test.each([
    [['--username', 'bob', '--email', 'bob@example.org'], 'short', 'at least 8'],
    [['--username', 'b ob', '--email', 'bob@example.org'], 'long enough', '--username: Username cannot contain spaces'],
    [['--username', 'bob', '--email', 'nowhere'], 'long enough', '--email: Expected an email address'],
    [['--email', 'bob@example.org'], 'long enough', '--username'],
    [['--username', 'bob', '--email', 'bob@example.org'], '', 'holds no password'],
  ])('refuses %j with exit code 2 and a message', async (args, password, words) => {
    const result = await create(args, `${password}\n`)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(words)
  })
})
