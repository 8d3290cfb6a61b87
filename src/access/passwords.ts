/** argon2id, two at a time: hashing shares libuv's threads with SQLite and files, and must leave some to them. */
import { AppError } from '../base/errors.ts'
import { openHashQueue } from './hash-queue.ts'
import type { Caller } from './network.ts'

const atOnce = 2
const mayWait = 32

export interface Passwords {
  /** Hashes a new password, for `caller`, who waits where others have their turn. */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Compares a password with a hash, or with a hash of nothing where there is none, in the same time. `admit` runs
   * when its turn has come, before any hashing; what it throws refuses the attempt.
   */
  verify(hash: string | null, password: string, caller: Caller, admit?: () => Promise<void>): Promise<boolean>
  /** How many wait to be hashed or compared. */
  waiting(): number
}

/** Cost of argon2id as OWASP's password storage cheat sheet gives it: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const tooMany = (): AppError =>
  new AppError('rate_limited', 'The server is busy, try again in a second', { retryAfter: 1 })

/** Throws `rate_limited` beyond 32 waiting, for those of whose account and network the most wait. */
export function openPasswords(): Passwords {
  const queue = openHashQueue({ atOnce, mayWait, refuse: tooMany })
  // Loaded at first use: a start without a sign-in needs no native module.
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
