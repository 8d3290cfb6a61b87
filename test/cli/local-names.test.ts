/** Server names on machines that forbid them or treat two of them as equal. The platform of the machine decides. */
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { answerJson, answerPage, describeFile, sendBytes, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

const bytes = Buffer.from('bytes')

/** A server with a folder `R` of these files, and a terminal on another platform. */
async function openMachine(platform: NodeJS.Platform, names: readonly string[]) {
  const folder = { ...describeFile('R', Buffer.from('')), id: 3, is_directory: true }
  const files = names.map((name, index) => ({ ...describeFile(name, bytes), id: 10 + index }))
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: folder }),
    'GET /api/files': (_request, response) => answerPage(response, { files }),
    ...Object.fromEntries(
      files.map(({ id }) => [`GET /api/files/${id}/download`, (_request, response) => sendBytes(response, bytes)]),
    ),
  })
  return { ...terminal, platform }
}

const composed = 'caf\u00e9'
const decomposed = 'cafe\u0301'

describe('a folder download', () => {
  test.each<[NodeJS.Platform, string[], string]>([
    ['win32', ['a.txt', 'A.TXT', 'b.txt'], 'A.TXT'],
    ['darwin', ['a.txt', 'A.TXT', 'b.txt'], 'A.TXT'],
    ['darwin', [composed, decomposed, 'b.txt'], decomposed],
  ])('on %s does not let a file replace another one with an equal name', async (platform, names, second) => {
    const terminal = await openMachine(platform, names)
    const { code, stdout, stderr } = await runCli(terminal, ['download', '/R'])
    expect(code).toBe(5)
    expect(stderr).toContain(second)
    expect(stderr).toContain('1 of 3 items failed')
    expect(stdout).toContain('(2 files)')
  })

  test('on Linux saves files whose names differ only in case', async () => {
    const terminal = await openMachine('linux', ['a.txt', 'A.TXT', 'b\\c', 'NUL', 'end.'])
    const { code, stdout } = await runCli(terminal, ['download', '/R'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '    SIZE  SAVED AS\n25 Bytes  R/ (5 files)' })
  })

  test.each(['..\\evil.txt', 'C:evil', 'NUL', 'com1.txt', 'end.', 'end ', 'what?'])(
    'on Windows refuses %s, which has another meaning there',
    async name => {
      const terminal = await openMachine('win32', [name, 'console.txt'])
      const { code, stderr } = await runCli(terminal, ['download', '/R'])
      expect(code).toBe(1)
      expect(stderr).toContain('on Windows')
      expect(await terminal.names()).toEqual(['R'])
      expect(await readFile(terminal.path('R/console.txt'), 'utf8')).toBe('bytes')
    },
  )
})
