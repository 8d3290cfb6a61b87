import { thumbnails } from './0019-thumbnails.ts'
import type { Migration } from './migration.ts'

/** Nobody can say who looked at them: each is drawn anew for the space that looks, and the old bytes are swept. */
export const dropThumbnails: Migration = {
  name: '0043-drop-thumbnails',
  up: thumbnails.down,
  down: thumbnails.up,
}
