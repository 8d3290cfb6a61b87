/** Information about the server for administrators. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { nothing, time } from './fields.ts'

/** A server on the same MariaDB. */
const systemNode = z.object({
  /** The machine's name. */
  name: z.string(),
  /** Where it listens: `http://10.0.0.7:8080`. */
  address: z.string(),
  version: z.string(),
  started_at: time,
  /** Its last sign of life; it gives one every 10 seconds. */
  seen_at: time,
  /** False: it has been silent for 30 seconds, and others take over its jobs. */
  is_alive: z.boolean(),
  /** By how much the machine's clock is ahead of the database's. */
  clock_skew_ms: z.int(),
})
export type SystemNode = z.output<typeof systemNode>

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
  /** The servers that are alive, or were within the last hour; empty on SQLite, which has but one. */
  nodes: z.array(systemNode),
})
export type SystemInfo = z.output<typeof systemInfo>

export const getSystem = endpoint('GET', '/system', nothing).returns(
  systemInfo,
  about('Get the version, database, free space, counts and nodes of the server'),
)
