/** How the local store opens its files: it never follows a link or blocks on a pipe, whoever planted them. */
import { constants } from 'node:fs'
import { systemCode } from '../base/errors.ts'

export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Bytes per read: 1 MiB doubles the throughput of Node's 64 KiB. */
export const readSize = 1024 ** 2

/** Bytes per read of a whole file, which shows its end by one more: a small file gets no large buffer. */
export const readSizeFor = (size: number): number => Math.min(readSize, Math.max(64 * 1024, size + 1))

/** Ignores that a file is missing; throws any other error. */
export function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Also ignores a planted link: nothing behind it belongs to the store. */
export function ignoreForeign(error: unknown): undefined {
  if (systemCode(error) !== 'ELOOP') ignoreMissing(error)
}

export const isGone = () =>
  Object.assign(new Error('the blob is not there, or shorter than it was'), { code: 'ENOENT' })
