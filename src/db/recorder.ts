/** What a write records: its events, and the spaces whose listings it changes. */
import type { EventAction, EventDetail, ListedAction } from '../api/event-actions.ts'
import type { WriteActor } from './write-actor.ts'

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

/** What a write has recorded. */
export interface Recorded {
  events: readonly WriteEvent[]
  /** The spaces of slices; their revisions are raised, as those of the events' spaces. */
  slices: readonly number[]
}

/** What a running write has recorded so far. */
export interface Collected extends Recorded {
  readonly events: WriteEvent[]
  readonly slices: number[]
  /** Whether it recorded something, or said that there is nothing to record. */
  recorded: boolean
}

/** Collects what a write records in `into`, which also says whether anything was recorded. */
export function recorderOf(into: Collected, actor: WriteActor | null = null): Recorder {
  const record = (
    action: EventAction,
    { id, spaceId }: { id: number | null; spaceId?: number },
    detail: Record<string, unknown> | null = null,
  ): void => {
    into.recorded = true
    into.events.push({ actor, action, itemId: id, spaceId: spaceId ?? null, detail })
  }
  const slice = (spaceId: number): void => {
    into.recorded = true
    into.slices.push(spaceId)
  }
  const nothing = (): void => {
    into.recorded = true
  }
  return Object.assign(record, { slice, nothing, by: (other: WriteActor) => recorderOf(into, other) })
}
