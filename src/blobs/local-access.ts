/** How the local store opens its files: it follows no link and waits for no pipe, whoever planted them. */
import { constants } from 'node:fs'
import { systemCode } from '../base/errors.ts'

export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Bytes of one read; 1 MiB doubles the throughput of Node's 64 KiB. */
export const readSize = 1024 ** 2

/** Takes a file that is not there for no error. */
export function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Does the same for a link that was planted: behind it there is nothing of the store's either. */
export function ignoreForeign(error: unknown): undefined {
  if (systemCode(error) !== 'ELOOP') ignoreMissing(error)
}
