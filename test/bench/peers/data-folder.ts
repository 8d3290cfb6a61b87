/** The folder that the bare server and the peers serve: 100,000 old files, the files to download, and new uploads. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { megabyte } from '../client.ts'
import { smallSize } from './contestant.ts'

export interface Sizes {
  /** Files that are there before the first measurement. */
  oldFiles: number
  /** Different small files to download. */
  smallFiles: number
  /** The bytes of a large file. */
  large: number
}

export interface DataFolder {
  folder: string
  /** Paths below the folder, with slashes. */
  smallFiles: readonly string[]
  largeFile: string
  /** A file that shows that a server is ready. */
  readyFile: string
}

const filesPerFolder = 1000
const oldContent = 'An old file.\n'

async function makeOldFiles(folder: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += filesPerFolder) {
    const year = join(folder, `Year ${made / filesPerFolder}`)
    await mkdir(year, { recursive: true })
    for (let index = 0; index < filesPerFolder; index++) {
      await writeFile(join(year, `Report ${index} of the year.pdf`), oldContent)
    }
  }
}

async function makeLargeFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'w')
  for (let left = size; left > 0; left -= megabyte) await file.write(randomBytes(megabyte))
  await file.close()
}

/** Fills a new folder. */
export async function makeDataFolder(folder: string, sizes: Sizes): Promise<DataFolder> {
  await makeOldFiles(join(folder, 'archive'), sizes.oldFiles)
  await mkdir(join(folder, 'small'))
  const smallFiles = Array.from({ length: sizes.smallFiles }, (_, index) => `small/${index}.bin`)
  for (const path of smallFiles) await writeFile(join(folder, path), randomBytes(smallSize))
  const [readyFile, largeFile] = ['ready.txt', 'large.bin'] as const
  await writeFile(join(folder, readyFile), oldContent)
  await makeLargeFile(join(folder, largeFile), sizes.large)
  return { folder, smallFiles, largeFile, readyFile }
}

/** The paths of the large files in and below a folder, in which files may come and go. */
export async function findLargeFiles(folder: string): Promise<string[]> {
  const paths: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile() && stats.size >= megabyte) paths.push(path)
  }
  return paths
}

/** Removes the large files among the uploads in a folder. */
export async function removeLargeFiles(folder: string): Promise<void> {
  for (const path of await findLargeFiles(folder)) await rm(path)
}

export const countFiles = async (folder: string): Promise<number> => (await readdir(folder)).length
