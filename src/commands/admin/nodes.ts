/** `filestore admin nodes`: the servers that work on the database. */
import type { SystemNode } from '../../api/system.ts'
import type { Flags } from '../../config-options.ts'
import { listNodes } from '../../system/nodes.ts'
import { withRows } from '../open.ts'

/** Returns the servers that are alive, or were within the last hour, by name; none on SQLite. */
export const runNodes = (flags: Flags): Promise<SystemNode[]> => withRows(flags, ({ db }) => listNodes(db))
