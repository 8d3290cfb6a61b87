import { type Migration, migrationTime, rowsStay } from './migration.ts'

/**
 * Links are on in a new database, and off in one that people use already: nobody's files are to leave a server by a way
 * that its administrator has not heard of.
 */
const insert = (now: string) => `INTO settings (\`key\`, value, updated_at)
  SELECT 'sharing_links', CASE WHEN EXISTS (SELECT 1 FROM users) THEN 'false' ELSE 'true' END, ${now}
  UNION ALL SELECT 'sharing_link_uploads', 'true', ${now}
  UNION ALL SELECT 'sharing_link_password_required', 'false', ${now}
  UNION ALL SELECT 'sharing_link_max_days', '0', ${now}`

/** The settings of links. */
export const linkSettings: Migration = {
  name: '0082-link-settings',
  up: {
    sqlite: [`INSERT OR IGNORE ${insert(migrationTime.sqlite)}`],
    mariadb: [`INSERT IGNORE ${insert(migrationTime.mariadb)}`],
  },
  down: rowsStay,
}
