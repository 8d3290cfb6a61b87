/** Reads a text file of a backup. */
import { open } from 'node:fs/promises'
import { readFlags } from '../../blobs/local-access.ts'

/** Throws for anything but a regular file: a read of a pipe, whoever put it there, would never end. */
export async function readText(path: string): Promise<string> {
  const file = await open(path, readFlags)
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
