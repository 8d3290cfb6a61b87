/** Hashes passwords with argon2id, two in parallel: hashing shares libuv's threads with SQLite and file access. */
import { AppError } from '../base/errors.ts'
import { openHashQueue } from './hash-queue.ts'
import type { Caller } from './network.ts'
import { openTriedPasswords } from './tried-passwords.ts'

const atOnce = 2
const mayWait = 32

export interface Passwords {
  /** Hashes a new password for `caller`, in its fair turn. */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Compares a password with a hash; without one it takes the same time on a decoy. `admit` runs in the caller's turn
   * before any hashing; when it throws, the attempt is refused. No password matches a damaged hash.
   */
  verify(hash: string | null, password: string, caller: Caller, admit?: () => Promise<void>): Promise<boolean>
  /** Notes that the caller signed in: passwords from the same network come before strangers' from then on. */
  noteSignIn(caller: Caller): void
  /** The number of passwords waiting to be hashed or compared. */
  waiting(): number
}

/**
 * The PHC string that `hash` returns: argon2id, a salt of 16 bytes and a hash of 32. Other releases may use another
 * cost, but at most 1 GB, because verifying allocates as much memory as the string says.
 */
export const passwordHashForm =
  /^\$argon2id\$v=19\$m=[1-9]\d{0,5},t=[1-9]\d?,p=[1-9]\d?\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/

/** The cost of argon2id after OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const tooMany = (): AppError =>
  new AppError('rate_limited', 'The server is busy, try again in a second', { retryAfter: 1 })

/**
 * Throws `rate_limited` when more than 32 wait, for the account and network with the most waiting, or the network with
 * the most wrong passwords. `onDamaged` is called for each malformed stored hash.
 */
export function openPasswords(onDamaged: () => void): Passwords {
  const tried = openTriedPasswords()
  const queue = openHashQueue({ atOnce, mayWait, rank: tried.rank, refuse: tooMany })
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
        const known = hash !== null && passwordHashForm.test(hash) ? hash : null
        if (hash !== known) onDamaged()
        const matches = await (await argon2()).verify(known ?? (await decoyHash()), password)
        const isRight = matches && known !== null
        if (!isRight) tried.noteWrong(caller.network)
        return isRight
      }),
    noteSignIn: ({ network }) => tried.noteSignIn(network),
    waiting: queue.waiting,
  }
}
