import { thumbnails } from './0019-thumbnails.ts'
import type { Migration } from './migration.ts'

/**
 * Drops the shared thumbnails, which belong to no space. Each space gets new ones, and the sweeper removes old bytes.
 */
export const dropThumbnails: Migration = {
  name: '0043-drop-thumbnails',
  up: thumbnails.down,
  down: thumbnails.up,
}
