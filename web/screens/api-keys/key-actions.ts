/** The actions on a key. */
import type { ApiKey } from '../../../src/api/keys.ts'

export interface KeyActions {
  rename: (key: ApiKey) => void
  toggle: (key: ApiKey) => void
  remove: (key: ApiKey) => void
}
