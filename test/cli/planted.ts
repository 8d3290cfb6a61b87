/** A local folder `tree` of many small files, and a check of those that arrived. */
import { mkdir, writeFile } from 'node:fs/promises'
import pMap from 'p-map'
import { expect } from 'vitest'
import { getFile, getFileByPath, listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import type { TestClient } from '../support/client.ts'
import { sha256 } from './odd-server.ts'
import type { Terminal } from './terminal.ts'

export const nameOf = (index: number): string => `${String(index).padStart(4, '0')}.txt`
export const contentOf = (index: number): string => `content of ${index}`

/** Makes a folder `tree` of files with content of their own. */
export async function plant(terminal: Terminal, count: number): Promise<void> {
  await mkdir(terminal.path('tree'))
  for (let index = 0; index < count; index += 1)
    await writeFile(terminal.path(`tree/${nameOf(index)}`), contentOf(index))
}

/** The files of `tree`. Fails if one has other content than was planted, or if there are two of one. */
export async function filesOf(client: TestClient): Promise<FileItem[]> {
  const { file } = await client.call(getFileByPath, { path: '/tree' })
  const { files } = await client.call(listFiles, { parent_id: file.id })
  const check = async ({ id, name }: FileItem) => {
    expect(name).toMatch(/^\d{4}\.txt$/)
    const { file: found } = await client.call(getFile, { id })
    expect(`${name} ${found.sha256}`).toBe(`${name} ${sha256(Buffer.from(contentOf(Number.parseInt(name, 10))))}`)
  }
  await pMap(files, check, { concurrency: 20 })
  return files
}
