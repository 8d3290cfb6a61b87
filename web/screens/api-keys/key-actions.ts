/** What can be done to a key. */
import type { ApiKey } from '../../../src/api/keys.ts'

export interface KeyActions {
  rename: (key: ApiKey) => void
  toggle: (key: ApiKey) => void
  remove: (key: ApiKey) => void
}
