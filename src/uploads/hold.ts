/**
 * One request at a time works on an upload. In one process the newest request ends the one before it, whose connection
 * may be half open for minutes. A request of another process only asks for it, and is told to come again.
 */
import { type Clock, second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { sqlNow } from '../db/database-time.ts'
import type { Leases } from '../db/leases.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import { turnOfUpload } from './rows.ts'

/** ms for which an upload is held; it is renewed far more often. */
const holdTime = 30 * second
/** ms after the last renewal from which the holder writes nothing more, for another may take the upload soon. */
const longestSilence = 20 * second
/** ms between two looks whether another process wants the upload; every fifth of them renews the hold. */
const lookEvery = second
const looksPerRenewal = 5
/** `held_until` of an upload that its holder has left, and of one that an earlier holder may still write to. */
const left = 0
const abandoned = 1
/** ms that a request waits for the end of an earlier one. */
const patience = 10 * second

/** 423: another request works on the upload. */
export const locked = (): AppError =>
  new AppError('locked', 'Another request is at work on this upload, try again', { retryAfter: 2 })

export interface Hold {
  /** The holder to be named in changes; null where no other process can hold it. */
  readonly holder: string | null
  readonly epoch: number
  /**
   * Whether another process held the upload before and never left it. If it has only slept, it may go on to write the
   * bytes that it had received.
   */
  readonly isAbandoned: boolean
  /** Says that this is no longer so. Until then it is so for whoever takes the upload next, too. */
  settle(): void
  /** Throws `locked` once the upload must be left to another process. */
  check(): void
}

/** An upload, and the turn of the writes by which a request holds it. */
interface Held {
  id: string
  whose: string
}

type Holding = <T>(held: Held, cut: () => void, work: (hold: Hold) => Promise<T>) => Promise<T>

interface Active {
  cut(): void
  ended: Promise<void>
}

const after = (ms: number): Promise<'late'> =>
  new Promise(resolve => {
    setTimeout(() => resolve('late'), ms).unref()
  })

/**
 * Receives bytes of an upload, and says so in its row (`held_until`) also where no other process can hold it: one that is
 * being sent gives way to others later (`files/visitor-room.ts`).
 */
export async function whileSending<T>(
  { db, log }: Pick<HoldDeps, 'db' | 'log'>,
  upload: Pick<UploadRow, 'id' | 'user_id' | 'space_id'>,
  { holder }: Hold,
  work: () => Promise<T>,
): Promise<T> {
  if (holder !== null) return work()
  const mark = (until: string, whose?: string) =>
    db.touch(() => db.change(`UPDATE uploads SET held_until = ${until} WHERE id = $1`, [upload.id]), whose)
  const later = `${sqlNow(db.dialect)} + ${holdTime}`
  const whose = turnOfUpload(upload)
  const warn = (error: unknown) => log.warn({ err: error }, 'an upload is not marked as one that is being sent')
  await mark(later, whose)
  const timer = setInterval(() => void mark(later).catch(warn), lookEvery * looksPerRenewal).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await mark(`${left}`, whose).catch(warn)
  }
}

interface HoldDeps {
  db: Database
  clock: Clock
  leases: Pick<Leases, 'holder'>
  log: Log
}

/** What the table says about who holds an upload. */
function openTable({ db, leases: { holder } }: HoldDeps) {
  const now = sqlNow(db.dialect)
  return {
    /**
     * Returns the epoch, or null if another process holds it. It grows whenever another process takes or asks for the
     * upload. Throws nothing for one that is gone: its epoch is 0.
     */
    take: ({ id, whose }: Held): Promise<Pick<Hold, 'epoch' | 'isAbandoned'> | null> =>
      db.touch(async () => {
        const before = await db.row<{ holder: string | null; held_until: number }>(
          'SELECT holder, held_until FROM uploads WHERE id = $1 FOR UPDATE',
          [id],
        )
        const taken = await db.change(
          `UPDATE uploads SET epoch = epoch + CASE WHEN holder = $1 THEN 0 ELSE 1 END, holder = $1,
             held_until = ${now} + ${holdTime}
           WHERE id = $2 AND (holder IS NULL OR holder = $1 OR held_until <= ${now})`,
          [holder, id],
        )
        // Whoever holds it sees this, and lets go.
        if (taken === 0) await db.change('UPDATE uploads SET epoch = epoch + 1 WHERE id = $1', [id])
        const row = await db.row<{ epoch: number }>('SELECT epoch FROM uploads WHERE id = $1', [id])
        if (taken === 0 && row !== undefined) return null
        const { holder: earlier, held_until } = before ?? { holder: null, held_until: left }
        const isAbandoned = held_until === abandoned || (earlier !== null && earlier !== holder && held_until !== left)
        return { epoch: row?.epoch ?? 0, isAbandoned }
      }, whose),
    /** Whether nobody has taken or asked for it. */
    isMine: async (id: string, epoch: number): Promise<boolean> =>
      (await db.row('SELECT id FROM uploads WHERE id = $1 AND holder = $2 AND epoch = $3', [id, holder, epoch])) !==
      undefined,
    renew: (id: string): Promise<number> =>
      db.touch(() =>
        db.change(`UPDATE uploads SET held_until = ${now} + ${holdTime} WHERE id = $1 AND holder = $2`, [id, holder]),
      ),
    /** The holder stays named: whoever takes it next sees whether another one was at work meanwhile. */
    leave: ({ id, whose }: Held, until: typeof left | typeof abandoned): Promise<number> =>
      db.touch(
        () => db.change('UPDATE uploads SET held_until = $1 WHERE id = $2 AND holder = $3', [until, id, holder]),
        whose,
      ),
  }
}

/**
 * Holds an upload among processes while `work` runs: looks each second whether another one wants it, and then cuts the
 * request off.
 */
function openShared(deps: HoldDeps): Holding {
  const { clock, leases, log } = deps
  const table = openTable(deps)
  return async (held, cut, work) => {
    const { id } = held
    const taken = await table.take(held)
    if (taken === null) throw locked()
    const { epoch, isAbandoned } = taken
    let isSettled = !isAbandoned
    let renewedAt = clock.monotonic()
    let isOver = false
    let looks = 0
    const look = async (): Promise<void> => {
      looks += 1
      if (!(await table.isMine(id, epoch))) isOver = true
      // Work that goes on when it is asked for, such as making the file, keeps the upload until its end.
      if (looks % looksPerRenewal === 0 && (await table.renew(id)) > 0) renewedAt = clock.monotonic()
    }
    const isSilent = () => clock.monotonic() - renewedAt > longestSilence
    const timer = setInterval(() => {
      look()
        .catch(error => log.warn({ err: error }, 'the hold of an upload was not renewed'))
        .finally(() => {
          if (isOver || isSilent()) cut()
        })
    }, lookEvery).unref()
    try {
      return await work({
        holder: leases.holder,
        ...taken,
        settle: () => {
          isSettled = true
        },
        check: () => {
          if (isSilent()) throw locked()
        },
      })
    } finally {
      clearInterval(timer)
      await table
        .leave(held, isSettled ? left : abandoned)
        .catch(error => log.warn({ err: error }, 'the hold of an upload ends by itself'))
    }
  }
}

/**
 * Returns a function that runs `work` for the only request at an upload. `cut` ends this request when a newer one comes.
 * Throws `locked` when an earlier one does not end within 10 s, or another process holds the upload.
 */
export function openHolding(deps: HoldDeps): Holding {
  // With SQLite there is no other process.
  const nothing = () => undefined
  const alone: Holding = (_held, _cut, work) =>
    work({ holder: null, epoch: 0, isAbandoned: false, settle: nothing, check: nothing })
  const among = deps.db.dialect === 'mariadb' ? openShared(deps) : alone
  const active = new Map<string, Active>()
  return async (held, cut, work) => {
    const { id } = held
    const late = after(patience)
    for (let earlier = active.get(id); earlier !== undefined; earlier = active.get(id)) {
      earlier.cut()
      if ((await Promise.race([earlier.ended, late])) === 'late') throw locked()
    }
    let end: () => void = () => undefined
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    active.set(id, { cut, ended })
    try {
      return await among(held, cut, work)
    } finally {
      active.delete(id)
      end()
    }
  }
}
