/** Saves archives, and unpacks them with programs that users have. */

import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { onTestFinished, type TestContext } from 'vitest'
import { skipBecause } from './skip.ts'

/** Opens a temporary folder, which is deleted after the test. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-archive-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes the body of an answer into a file; returns its path. */
export async function saveArchive(response: Response): Promise<string> {
  const path = join(await openFolder(), 'archive.zip')
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  return path
}

export interface ListedEntry {
  name: string
  size: number
  /** The bits for UTF-8 names and for a data descriptor. */
  flags: number
  method: number
  version: number
  /** [year, month, day, hour, minute, second] in the resolution of MS-DOS. */
  time: number[]
  /** Unix mode. */
  mode: number
  content: string | null
}

const listScript = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    broken = archive.testzip()
    if broken: sys.exit(f'the CRC of {broken} is wrong')
    print(json.dumps([dict(name=i.filename, size=i.file_size, flags=i.flag_bits, method=i.compress_type,
        version=i.extract_version, time=list(i.date_time), mode=i.external_attr >> 16,
        content=None if i.is_dir() or i.file_size > 100000 else archive.read(i).decode('latin1'))
        for i in archive.infolist()]))
`

/** The entries that Python's zipfile reads, after it checked every CRC. */
export async function listArchive(path: string): Promise<ListedEntry[]> {
  const { stdout } = await execa('python3', ['-c', listScript, path])
  return JSON.parse(stdout) as ListedEntry[]
}

/** The first of these programs that is installed; without any, skips the test with the reason in the report. */
export function needProgram(context: TestContext, ...names: readonly string[]): string {
  const folders = process.env.PATH?.split(delimiter) ?? []
  const found = names.find(name => folders.some(folder => existsSync(join(folder, name))))
  if (found !== undefined) return found
  return skipBecause(`${names.join(' or ')} is not installed: .ci/tools`, context)
}
