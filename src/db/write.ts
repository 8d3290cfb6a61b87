/** The only way to change rows: write() for what users see, touch() for housekeeping. Also snapshot() for reads. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import type { EventAction, EventDetail, ListedAction } from '../api/event-actions.ts'
import { second } from '../base/clock.ts'
import { type Connection, type Connections, commitError } from './connections.ts'
import {
  beginStatement,
  endStatement,
  endStatements,
  noStatements,
  type RunningStatements,
} from './running-statements.ts'

/** The user or job that makes a change, as the events table stores it. */
export interface WriteActor {
  userId: number | null
  /** The name at the time of the change. */
  name: string
  keyId: number | null
  /** The link by which a visitor came; absent for everybody else. */
  linkId?: number
  address: string | null
}

/** The server's own jobs. */
export const systemActor: WriteActor = { userId: null, name: 'system', keyId: null, address: null }

/** Whose turn a write takes: a user's with all their keys, all visitors', or the server's. */
const whoseTurn = ({ userId, linkId }: WriteActor): string =>
  userId === null ? (linkId === undefined ? 'server' : 'visitors') : `user ${userId}`

/** One change: an action such as `file.rename`, and the row of the noun that the action begins with. */
export interface WriteEvent {
  /** Null: the actor of the whole write. */
  actor: WriteActor | null
  action: EventAction
  itemId: number | null
  spaceId: number | null
  detail: Record<string, unknown> | null
}

/** What an action is recorded about. `id` is null if the noun's row has no number, such as a setting. */
type Subject<Action extends EventAction> = Action extends ListedAction
  ? { id: number | null; spaceId: number }
  : { id: number | null; spaceId?: never }

export interface Recorder {
  /** Records one change made by this write; its event is committed with it. */
  <Action extends EventAction>(action: Action, item: Subject<Action>, detail?: EventDetail<Action>): void
  /** Declares that a space's listings change here, while another write records the event; raises the revision. */
  slice(spaceId: number): void
  /** Declares that this write needs no event, which turns the check for a forgotten one off. */
  nothing(): void
  /** Returns a recorder for another actor, so that changes of several actors can share one write. */
  by(actor: WriteActor): Recorder
}

/** Changes rows. It may run several times, so it must have no other effects and do nothing slow. */
type WriteWork<T> = (record: Recorder) => Promise<T>

interface Scope extends RunningStatements {
  readonly connection: Connection
  readonly kind: 'write' | 'touch' | 'snapshot'
  readonly events: WriteEvent[]
  /** The spaces of slices. */
  readonly slices: number[]
  recorded: boolean
  /** The first error of an inner write. It fails the whole write even if it was caught. */
  failure: { error: unknown } | null
}

const openScope = (connection: Connection, kind: Scope['kind']): Scope => ({
  ...noStatements(),
  connection,
  kind,
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
  touch<T>(work: () => Promise<T>, turn?: string): Promise<T>
  /** Runs reads that all see the database as it was when they began, whatever is written meanwhile. */
  snapshot<T>(work: () => Promise<T>): Promise<T>
  /** Returns the connection for a query of the running code: its transaction's own, or a reader. */
  connectionFor(isChange: boolean): Promise<Connection>
  release(connection: Connection): void
  /** Whether the running code is inside a write, touch or snapshot. */
  isInside(): boolean
}

function recorderOf(scope: Scope, actor: WriteActor | null = null): Recorder {
  const record = (
    action: EventAction,
    { id, spaceId }: { id: number | null; spaceId?: number },
    detail: Record<string, unknown> | null = null,
  ): void => {
    scope.recorded = true
    scope.events.push({ actor, action, itemId: id, spaceId: spaceId ?? null, detail })
  }
  const slice = (spaceId: number): void => {
    scope.recorded = true
    scope.slices.push(spaceId)
  }
  const nothing = (): void => {
    scope.recorded = true
  }
  return Object.assign(record, { slice, nothing, by: (other: WriteActor) => recorderOf(scope, other) })
}

/**
 * The scopes of the running code, by their database's connections, so that two databases in one process stay separate.
 * All databases share one storage, because Node checks each storage for each promise, even after its database is
 * closed.
 */
const scopes = new AsyncLocalStorage<ReadonlyMap<Connections, Scope>>()

/** What a write has recorded. */
export interface Recorded {
  events: readonly WriteEvent[]
  /** The spaces of slices; their revisions are raised, as those of the events' spaces. */
  slices: readonly number[]
}

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

  async function attempt<T>(kind: Scope['kind'], whose: string, work: (scope: Scope) => Promise<T>): Promise<T> {
    return connections.withWriter(whose, async connection => {
      const scope = openScope(connection, kind)
      try {
        await connections.execute(connection, connections.begin)
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
      }
    })
  }

  async function withRetry<T>(run: () => Promise<T>, attempt = 1, began = performance.now()): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const most = performance.now() - began < tries.soonTime ? tries.soon : tries.always
      if (attempt >= most || !connections.mayRetry(error)) {
        onError(error)
        throw error
      }
      // A random pause, so that the same two writes do not collide again.
      await setTimeout(Math.random() * Math.min(pauses.first * 2 ** attempt, pauses.longest))
      return withRetry(run, attempt + 1, began)
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
    return withRetry(() =>
      attempt('write', whoseTurn(actor), async scope => {
        const result = await work(recorderOf(scope))
        if (!scope.recorded) throw new Error('a write() recorded neither what it did nor record.nothing()')
        if (scope.failure === null) await save(actor, scope)
        return result
      }),
    )
  }

  async function touch<T>(work: () => Promise<T>, turn = whoseTurn(systemActor)): Promise<T> {
    const outer = currentScope()
    return outer?.open ? join(outer, work) : withRetry(() => attempt('touch', turn, work))
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
