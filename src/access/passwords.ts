/** Hashes passwords with argon2id, two at a time: hashing shares libuv's threads with SQLite and file access. */
import { AppError } from '../base/errors.ts'
import { openHashQueue } from './hash-queue.ts'
import type { Caller } from './network.ts'

const atOnce = 2
const mayWait = 32

export interface Passwords {
  /** Hashes a new password for `caller`, waiting while it is the turn of others. */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Compares a password with a hash. Without a hash it compares with a dummy, so both take the same time. `admit` runs
   * when the comparison's turn has come, before any hashing; an error that it throws refuses the attempt.
   */
  verify(hash: string | null, password: string, caller: Caller, admit?: () => Promise<void>): Promise<boolean>
  /** The number of passwords that wait to be hashed or compared. */
  waiting(): number
}

/** Cost of argon2id from OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const tooMany = (): AppError =>
  new AppError('rate_limited', 'The server is busy, try again in a second', { retryAfter: 1 })

/** If more than 32 wait, throws `rate_limited` for those whose account and network have the most waiting. */
export function openPasswords(): Passwords {
  const queue = openHashQueue({ atOnce, mayWait, refuse: tooMany })
  // Loaded at first use, because a start without a sign-in does not need the native module.
  const argon2 = () => import('@node-rs/argon2')
  let decoy: Promise<string> | undefined
  const decoyHash = () => {
    decoy ??= argon2().then(library => library.hash('', cost))
    return decoy
  }

  return {
    hash: (password, caller) => queue(caller, async () => (await argon2()).hash(password, cost)),
    verify: (hash, password, caller, admit) =>
      queue(caller, async () => {
        await admit?.()
        const matches = await (await argon2()).verify(hash ?? (await decoyHash()), password)
        return matches && hash !== null
      }),
    waiting: queue.waiting,
  }
}
