/** Locks the rows that a statement reads. SQLite has one writer at a time, so its writes need no such lock. */
import type { Database } from './database.ts'

/** What ends a statement that reads rows which the same write changes. */
export const forUpdate = ({ dialect }: Pick<Database, 'dialect'>): string => (dialect === 'mariadb' ? 'FOR UPDATE' : '')
