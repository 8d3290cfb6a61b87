/** The only way to change rows: write() for what users see, touch() for housekeeping. Also snapshot() for reads. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { second } from '../base/clock.ts'
import { type Connection, type Connections, commitError, type LockedRow, RowBusy, type Turn } from './connections.ts'
import { type Collected, type Recorded, type Recorder, recorderOf } from './recorder.ts'
import {
  beginStatement,
  endStatement,
  endStatements,
  noStatements,
  type RunningStatements,
} from './running-statements.ts'
import { housekeeping, turnOf, type WriteActor } from './write-actor.ts'

/** Changes rows. It may run several times, so it must have no other effects and do nothing slow. */
type WriteWork<T> = (record: Recorder) => Promise<T>

interface Scope extends RunningStatements, Collected {
  readonly connection: Connection
  readonly kind: 'write' | 'touch' | 'snapshot'
  readonly whose: string
  /** The rows that it has locked, by table and value. */
  readonly locks: Set<string>
  /** What ends the process's knowledge of them. */
  readonly holds: (() => void)[]
  /** The first error of an inner write. It fails the whole write even if it was caught. */
  failure: { error: unknown } | null
}

const openScope = (connection: Connection, kind: Scope['kind'], whose = ''): Scope => ({
  ...noStatements(),
  connection,
  kind,
  whose,
  locks: new Set(),
  holds: [],
  events: [],
  slices: [],
  recorded: false,
  failure: null,
})

/** A write is tried five times, and up to ten within two seconds: nodes of a cluster often change the same row at once. */
const tries = { always: 5, soon: 10, soonTime: 2 * second }
const pauses = { first: 5, longest: 320 } // ms; the one before the next try is at most twice the first, then four times, …

export interface Writer {
  /**
   * Runs a change in one transaction. Inside another write it joins that one: the outer write's actor holds, and the
   * inner one need not record anything. Throws CommitError if the change may have been committed all the same.
   */
  write<T>(actor: WriteActor, work: WriteWork<T>): Promise<T>
  /** Runs a change that nobody sees in one transaction. `whose`: its turn; only housekeeping locks no space. */
  touch<T>(work: () => Promise<T>, whose?: string): Promise<T>
  /**
   * Locks a row until the end of the running write, so that what it reads afterwards does not change. A write that finds the
   * row locked waits for it without a connection, and then runs again.
   */
  lock(row: LockedRow): Promise<void>
  /** Runs reads that all see the database as it was when they began, whatever is written meanwhile. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  /** Returns the connection for a query of the running code: its transaction's own, or a reader. */
  connectionFor(isChange: boolean): Promise<Connection>
  release(connection: Connection): void
  /** Whether the running code is inside a write, touch or snapshot. */
  isInside(): boolean
}

/**
 * The scopes of the running code, by their database's connections, so that two databases in one process stay separate.
 * All databases share one storage, because Node checks each storage for each promise, even after its database is
 * closed.
 */
const scopes = new AsyncLocalStorage<ReadonlyMap<Connections, Scope>>()

/**
 * Opens the writer of one database. `save` runs inside the transaction, after the work. `onError` gets the error of a
 * snapshot, and of a write that is not tried again.
 */
export function openWriter(
  connections: Connections,
  save: (actor: WriteActor, recorded: Recorded) => Promise<void>,
  onError: (error: unknown) => void,
): Writer {
  const currentScope = () => scopes.getStore()?.get(connections)
  const runIn = <T>(scope: Scope, work: () => Promise<T>): Promise<T> =>
    scopes.run(new Map(scopes.getStore()).set(connections, scope), work)

  async function attempt<T>(kind: Scope['kind'], turn: Turn, work: (scope: Scope) => Promise<T>): Promise<T> {
    return connections.withWriter(turn, async connection => {
      const scope = openScope(connection, kind, turn.whose)
      try {
        await connections.execute(connection, connections.begin)
        if (turn.first !== null) await lockIn(scope, turn.first, true)
        const result = await runIn(scope, () => work(scope))
        if (scope.failure !== null) throw scope.failure.error
        if (scope.running > 0) throw new Error('a write() ended before its statements: an await is missing')
        scope.open = false
        await connections.refuseEnded(connection)
        await connections.execute(connection, 'COMMIT').catch(error => {
          throw commitError(connections, 'COMMIT', error)
        })
        return result
      } catch (error) {
        await endStatements(scope)
        // ROLLBACK fails if BEGIN failed or the connection is lost; either way there is nothing to undo.
        await connections.execute(connection, 'ROLLBACK').catch(() => undefined)
        throw error
      } finally {
        for (const end of scope.holds) end()
      }
    })
  }

  /**
   * Locks a row in a scope. Of those that wait for the same row, one of this process has a connection at most; `isTurn`: this
   * one has come to its turn for it.
   */
  async function lockIn(scope: Scope, row: LockedRow, isTurn = false): Promise<void> {
    const name = `${row.table} ${row.value}`
    if (scope.locks.has(name)) return
    if (scope.whose === housekeeping && row.table === 'spaces') throw new Error('housekeeping cannot lock a space')
    const isFirst = scope.locks.size === 0
    beginStatement(scope, true)
    try {
      if (isFirst && !isTurn && connections.isHeld(row)) throw new RowBusy(row, name)
      scope.locks.add(name)
      scope.holds.push(connections.hold(row))
      await connections.lock(scope.connection, row, isFirst)
    } catch (error) {
      scope.failure ??= { error }
      throw error
    } finally {
      endStatement(scope)
    }
  }

  async function withRetry<T>(
    whose: string,
    run: (turn: Turn) => Promise<T>,
    first: LockedRow | null = null,
    attempt = 1,
    began = performance.now(),
  ): Promise<T> {
    try {
      return await run({ whose, first })
    } catch (error) {
      const most = performance.now() - began < tries.soonTime ? tries.soon : tries.always
      const isBusy = error instanceof RowBusy
      if (attempt >= most || !(isBusy || connections.mayRetry(error))) {
        onError(error)
        throw error
      }
      if (isBusy) return withRetry(whose, run, error.row, attempt + 1, began)
      // A random pause, so that the same two writes do not collide again.
      await setTimeout(Math.random() * Math.min(pauses.first * 2 ** attempt, pauses.longest))
      return withRetry(whose, run, first, attempt + 1, began)
    }
  }

  async function join<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      scope.failure ??= { error }
      throw error
    }
  }

  async function write<T>(actor: WriteActor, work: WriteWork<T>): Promise<T> {
    const outer = currentScope()
    if (outer?.open) {
      if (outer.kind === 'touch') throw new Error('touch() cannot hold a write(): its events would be lost')
      return join(outer, () => work(recorderOf(outer)))
    }
    return withRetry(turnOf(actor), turn =>
      attempt('write', turn, async scope => {
        const result = await work(recorderOf(scope))
        if (!scope.recorded) throw new Error('a write() recorded neither what it did nor record.nothing()')
        if (scope.failure === null) await save(actor, scope)
        return result
      }),
    )
  }

  async function touch<T>(work: () => Promise<T>, whose = housekeeping): Promise<T> {
    const outer = currentScope()
    return outer?.open ? join(outer, work) : withRetry(whose, turn => attempt('touch', turn, work))
  }

  async function lock(row: LockedRow): Promise<void> {
    const scope = currentScope()
    if (scope === undefined) throw new Error('only a write() can lock a row')
    await lockIn(scope, row)
  }

  async function snapshot<T>(work: () => Promise<T>): Promise<T> {
    const connection = await connections.reader()
    const scope = openScope(connection, 'snapshot')
    try {
      await connections.beginSnapshot(connection)
      return await runIn(scope, work)
    } catch (error) {
      onError(error)
      throw error
    } finally {
      await endStatements(scope)
      await connections.endSnapshot(connection).catch(() => undefined)
      connections.release(connection)
    }
  }

  return {
    write,
    touch,
    lock,
    snapshot,
    connectionFor: async isChange => {
      const scope = currentScope()
      if (scope === undefined) return connections.reader()
      beginStatement(scope, isChange)
      return scope.connection
    },
    release: connection => {
      const scope = currentScope()
      if (connection !== scope?.connection) return connections.release(connection)
      endStatement(scope)
    },
    isInside: () => currentScope() !== undefined,
  }
}
