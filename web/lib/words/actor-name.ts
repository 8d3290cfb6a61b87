/** The name of an event's author. */
import type { ChangeEvent } from '../../../src/api/events.ts'

/** Without a user, the author is one of the server's jobs (shown as the product) or `filestore admin` (`terminal`). */
export const actorName = ({ actor_id, actor_name }: ChangeEvent): string =>
  actor_id === null && actor_name === 'system' ? 'filestore' : actor_name
