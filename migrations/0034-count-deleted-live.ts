import { replaceTrigger } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/** What went along with a trashed folder has left its type's count already when it is deleted. */
export const countDeletedLive: Migration = { name: '0034-count-deleted-live', ...replaceTrigger('onDelete') }
