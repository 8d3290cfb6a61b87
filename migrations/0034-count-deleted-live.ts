import { replaceTrigger } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/**
 * Deleting a row that was trashed with its folder no longer changes type_counts: trashing has already subtracted it.
 */
export const countDeletedLive: Migration = { name: '0034-count-deleted-live', ...replaceTrigger('onDelete') }
