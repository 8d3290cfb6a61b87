/** Information about the server for administrators. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { nothing } from './fields.ts'

const systemInfo = z.object({
  version: z.string(),
  database: z.enum(['sqlite', 'mariadb']),
  /** Bytes still available to the store; null if unknown. */
  free_bytes: z.nullable(z.int()),
  /** Bytes to keep free on the store's disk; 0 if there is no such limit. */
  min_free_bytes: z.int(),
  /** The disk with less free space than its limit, because of which uploads are refused; null if both have enough. */
  full_disk: z.nullable(z.enum(['storage', 'database'])),
  /** `files` and `folders` count live and trashed items. */
  counts: z.object({ users: z.int(), files: z.int(), folders: z.int(), pending: z.int(), bytes: z.int() }),
})
export type SystemInfo = z.output<typeof systemInfo>

export const getSystem = endpoint('GET', '/system', nothing).returns(
  systemInfo,
  about('Get the version, database, free space and counts of the server'),
)
