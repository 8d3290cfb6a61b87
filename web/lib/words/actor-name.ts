/** Whose act an event tells of. */
import type { ChangeEvent } from '../../../src/api/events.ts'

/** The server's own jobs have no user, and are the product's; nor has whoever runs `filestore admin`: `terminal`. */
export const actorName = ({ actor_id, actor_name }: ChangeEvent): string =>
  actor_id === null && actor_name === 'system' ? 'filestore' : actor_name
