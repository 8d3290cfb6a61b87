/** A disk of its own for a test, small enough to fill: a tmpfs, which only root may mount. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { TestContext } from 'vitest'

export interface SmallDisk {
  folder: string
  /** Takes all but so many bytes of what is free; what it took before is given back first. */
  leave(bytes: number): Promise<void>
  unmount(): Promise<void>
}

/** Skips the test where nothing may be mounted. */
export async function mountSmallDisk({ task, skip }: TestContext, size: string): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-disk-'))
  const mounted = await execa('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { reject: false })
  if (mounted.failed) {
    await rm(folder, { recursive: true })
    task.meta.skipReason = 'a tmpfs cannot be mounted here'
    skip(task.meta.skipReason)
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    leave: async bytes => {
      await rm(ballast, { force: true })
      const { stdout } = await execa('df', ['--output=avail', '-B1', folder])
      const free = Number(stdout.split('\n')[1])
      await writeFile(ballast, Buffer.alloc(Math.max(0, free - bytes)))
    },
    unmount: async () => {
      await execa('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}
