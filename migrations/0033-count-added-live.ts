import { replaceTrigger } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/** Of what is added, what went along with a trashed folder is in no type's count. */
export const countAddedLive: Migration = { name: '0033-count-added-live', ...replaceTrigger('onInsert') }
