/** Mounts a disk for a test, which needs root: a tmpfs small enough to fill, or an XFS whose files can share blocks. */

import { mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { TestContext } from 'vitest'
import { systemCode } from '../../src/base/errors.ts'
import { skipBecause } from './skip.ts'

export interface SmallDisk {
  folder: string
  /** Fills the disk until this many bytes are free, after it freed what it filled before. */
  leave(bytes: number): Promise<void>
  unmount(): Promise<void>
}

/** Mounts on a new folder and returns it. Skips the test with this reason when the mount fails. */
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

/**
 * Mounts an XFS in a file, whose files can share blocks; it is removed after the test. Skips the test when that fails.
 */
export async function mountReflinkDisk(context: TestContext): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'filestore-image-'))
  context.onTestFinished(() => rm(place, { recursive: true }))
  const image = join(place, 'xfs.img')
  await writeFile(image, '')
  await truncate(image, 320 * 1024 ** 2)
  // Ignore a failure here, because the mount fails, too, without a file system.
  await execa('mkfs.xfs', ['-q', '-m', 'reflink=1', image], { reject: false })
  const folder = await mount(context, ['-t', 'xfs', '-o', 'loop', image], 'an XFS cannot be made and mounted here')
  context.onTestFinished(() => unmount(folder))
  return folder
}

/** Mounts a tmpfs of this size. Skips the test when that fails. */
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
        // Another process wrote meanwhile, such as a server that has just started, so even less is free.
        if (systemCode(error) !== 'ENOSPC') throw error
      }
    },
    unmount: () => unmount(folder),
  }
}

/** Reads the free bytes of a disk until `isOver`; returns the smallest number. */
export async function watchLeast(folder: string, isOver: () => boolean): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  while (!isOver()) {
    const { bavail, bsize } = await statfs(folder)
    least = Math.min(least, bavail * bsize)
    await new Promise<void>(resolve => setImmediate(resolve))
  }
  return least
}
