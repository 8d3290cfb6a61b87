/** A share as both lists of the screen show it. */
import type { FileItem } from '../../../src/api/items.ts'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import type { RowActs } from './look.ts'

export interface ShareRow {
  /** The share's id; an item may be in the list several times. */
  id: number
  item: FileItem
  /** From whom it is or with whom it is shared. `to` is the group through which the user has it. */
  who: { kind: 'user' | 'group' | 'team'; name: string; to: string | null }
  level: ShareLevel
  created_at: string
  expires_at: string | null
  isNew: boolean
}

export type ShareActs = RowActs<ShareRow>
