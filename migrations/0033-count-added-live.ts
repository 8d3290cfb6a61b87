import { replaceTrigger } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/** An added row that was trashed with its folder no longer counts in type_counts. */
export const countAddedLive: Migration = { name: '0033-count-added-live', ...replaceTrigger('onInsert') }
