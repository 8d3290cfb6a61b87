/** Names the users, storages and files that an export of all users cannot reach: their database is damaged. */
import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Report } from './failures.ts'

const advice = "'filestore fsck' tells more"

/** What cannot be reached, as `path`, and why. */
const queries: Record<string, { sql: string; pathOf(row: { name: string | number }): string }> = {
  'the user has no role, or no storage': {
    sql: `SELECT u.username AS name FROM users u LEFT JOIN roles r ON r.id = u.role_id
      LEFT JOIN spaces s ON s.owner_id = u.id AND s.kind = 'personal' WHERE r.id IS NULL OR s.id IS NULL ORDER BY u.id`,
    pathOf: ({ name }) => String(name),
  },
  'the owner of this storage is missing': {
    sql: `SELECT s.id AS name FROM spaces s LEFT JOIN users u ON u.id = s.owner_id WHERE u.id IS NULL ORDER BY s.id`,
    pathOf: ({ name }) => `storage ${name}`,
  },
  'there are files in it, and the storage is missing': {
    sql: `SELECT f.space_id AS name FROM files f LEFT JOIN spaces s ON s.id = f.space_id WHERE s.id IS NULL
      GROUP BY f.space_id ORDER BY f.space_id`,
    pathOf: ({ name }) => `storage ${name}`,
  },
}

/** Reports everything that belongs to no user whom the export finds. */
export async function reportUnreachable(db: Database, report: Report): Promise<void> {
  for (const [problem, { sql, pathOf }] of Object.entries(queries)) {
    for (const row of await db.rows<{ name: string | number }>(sql)) {
      report({ path: pathOf(row), error: new AppError('internal', `${problem}: ${advice}`) })
    }
  }
}
