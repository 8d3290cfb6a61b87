/**
 * Simulates a disk that cannot read some files, keeps their reader waiting, or cannot clone any: a library, compiled here
 * and preloaded into a process.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { TestContext } from 'vitest'
import { skipBecause } from './skip.ts'

/** File modes that make reading fail: always, beyond the first megabyte, or every second time. */
export const unreadable = 0o1600
export const unreadableLater = 0o2600
export const unreadableAgain = 0o4600
/** The mode of a file whose reader waits until it has another mode. */
export const heldUp = 0o6600

/** The result of cloning a file: `EAGAIN`, or a reported success without any bytes. */
type Cloning = 'refused' | 'empty'

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int fails(int fd, off_t offset) {
  struct stat file;
  static int reads;
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) return 0;
  while ((file.st_mode & S_ISUID) && (file.st_mode & S_ISGID)) {
    usleep(10000);
    if (fstat(fd, &file) != 0) return 0;
  }
  if ((file.st_mode & S_ISUID) && offset == 0) return ++reads % 2 == 0;
  return (file.st_mode & S_ISVTX) || ((file.st_mode & S_ISGID) && offset >= 1048576);
}

#define WRAP(name, offset, parameters, ...) \\
  ssize_t name parameters { \\
    static ssize_t (*next) parameters; \\
    if (!next) next = dlsym(RTLD_NEXT, #name); \\
    if (fails(fd, offset)) { errno = EIO; return -1; } \\
    return next(__VA_ARGS__); \\
  }

WRAP(read, lseek(fd, 0, SEEK_CUR), (int fd, void *to, size_t size), fd, to, size)
WRAP(pread, at, (int fd, void *to, size_t size, off_t at), fd, to, size, at)
WRAP(pread64, at, (int fd, void *to, size_t size, off64_t at), fd, to, size, at)
WRAP(preadv, at, (int fd, const struct iovec *to, int count, off_t at), fd, to, count, at)
WRAP(preadv64, at, (int fd, const struct iovec *to, int count, off64_t at), fd, to, count, at)

int ioctl(int fd, unsigned long request, void *argument) {
  static int (*next)(int, unsigned long, ...);
  if (!next) next = dlsym(RTLD_NEXT, "ioctl");
  const char *cloning = request == 0x40049409 ? getenv("TEST_CLONING") : NULL;
  if (!cloning) return next(fd, request, argument);
  if (*cloning == 'e') return 0;
  errno = EAGAIN;
  return -1;
}
`

/** The environment of a process with such a disk. Skips the test without a C compiler. */
export async function buildFailingDisk(context: TestContext, cloning?: Cloning): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-eio-'))
  context.onTestFinished(() => rm(folder, { recursive: true }))
  const library = join(folder, 'eio.so')
  await writeFile(join(folder, 'eio.c'), source)
  const built = await execa('cc', ['-shared', '-fPIC', '-o', library, join(folder, 'eio.c'), '-ldl'], { reject: false })
  if (built.failed) skipBecause('there is no C compiler for Linux', context)
  return { LD_PRELOAD: library, ...(cloning && { TEST_CLONING: cloning }) }
}
