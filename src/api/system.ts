/** What an administrator wants to know of the server itself. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { nothing } from './fields.ts'

const systemInfo = z.object({
  version: z.string(),
  database: z.enum(['sqlite', 'mariadb']),
  /** Bytes that the store may still take; null where it cannot tell. */
  free_bytes: z.nullable(z.int()),
  /** Files and folders live and trashed. */
  counts: z.object({ users: z.int(), files: z.int(), folders: z.int(), pending: z.int(), bytes: z.int() }),
})
export type SystemInfo = z.output<typeof systemInfo>

export const getSystem = endpoint('GET', '/system', nothing).returns(systemInfo)
