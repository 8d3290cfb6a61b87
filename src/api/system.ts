/** What an administrator wants to know of the server itself. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { nothing } from './fields.ts'

const systemInfo = z.object({
  version: z.string(),
  database: z.enum(['sqlite', 'mariadb']),
  /** Bytes that the store may still take; null where it cannot tell. */
  free_bytes: z.nullable(z.int()),
  /** Bytes of the store's disk that are to stay free; 0 where none are. */
  min_free_bytes: z.int(),
  /** The disk that has less, so that uploads are refused; null where there is enough. */
  full_disk: z.nullable(z.enum(['storage', 'database'])),
  /** Files and folders live and trashed. */
  counts: z.object({ users: z.int(), files: z.int(), folders: z.int(), pending: z.int(), bytes: z.int() }),
})
export type SystemInfo = z.output<typeof systemInfo>

export const getSystem = endpoint('GET', '/system', nothing).returns(systemInfo)
