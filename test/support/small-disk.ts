/** A disk of its own for a test, which only root may mount: a tmpfs small enough to fill, or one that shares blocks. */

import { mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { TestContext } from 'vitest'
import { systemCode } from '../../src/base/errors.ts'
import { skipBecause } from './skip.ts'

export interface SmallDisk {
  folder: string
  /** Takes all but so many bytes of what is free; what it took before is given back first. */
  leave(bytes: number): Promise<void>
  unmount(): Promise<void>
}

/** Mounts on a new folder, which it gives back. Skips the test, with the reason, where that cannot be. */
async function mount(context: TestContext, args: readonly string[], reason: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-disk-'))
  const mounted = await execa('mount', [...args, folder], { reject: false })
  if (mounted.failed) {
    await rm(folder, { recursive: true })
    skipBecause(reason, context)
  }
  return folder
}

async function unmount(folder: string): Promise<void> {
  await execa('umount', ['--lazy', folder])
  await rm(folder, { recursive: true })
}

/** An XFS in a file, whose files can share blocks; it goes with the test. Skips the test where none can be made. */
export async function mountReflinkDisk(context: TestContext): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'filestore-image-'))
  context.onTestFinished(() => rm(place, { recursive: true }))
  const image = join(place, 'xfs.img')
  await writeFile(image, '')
  await truncate(image, 320 * 1024 ** 2)
  // Without it the mount fails, too.
  await execa('mkfs.xfs', ['-q', '-m', 'reflink=1', image], { reject: false })
  const folder = await mount(context, ['-t', 'xfs', '-o', 'loop', image], 'an XFS cannot be made and mounted here')
  context.onTestFinished(() => unmount(folder))
  return folder
}

/** Skips the test where nothing may be mounted. */
export async function mountSmallDisk(context: TestContext, size: string): Promise<SmallDisk> {
  const folder = await mount(context, ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs'], 'a tmpfs cannot be mounted here')
  const ballast = join(folder, 'ballast')
  return {
    folder,
    leave: async bytes => {
      await rm(ballast, { force: true })
      const { stdout } = await execa('df', ['--output=avail', '-B1', folder])
      const free = Number(stdout.split('\n')[1])
      try {
        await writeFile(ballast, Buffer.alloc(Math.max(0, free - bytes)))
      } catch (error) {
        // Somebody else wrote meanwhile, such as a server that has just started: then nothing is free, all the more.
        if (systemCode(error) !== 'ENOSPC') throw error
      }
    },
    unmount: () => unmount(folder),
  }
}

/** Looks at the disk again and again until it is told to stop; gives back the least that was free. */
export async function watchLeast(folder: string, isOver: () => boolean): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  while (!isOver()) {
    const { bavail, bsize } = await statfs(folder)
    least = Math.min(least, bavail * bsize)
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  return least
}
