import { type Migration, migrationTime, rowsStay } from './migration.ts'

/** All settings are off, except metadata_enabled, which has no effect until there is a field. */
const insert = (now: string) => `INTO settings (\`key\`, value, updated_at) VALUES
  ('validation_enabled', 'false', ${now}), ('allow_self_validation', 'false', ${now}),
  ('auto_validate_admin', 'false', ${now}), ('metadata_enabled', 'true', ${now}),
  ('metadata_required_on_upload', 'false', ${now})`

export const defaultSettings: Migration = {
  name: '0018-default-settings',
  up: {
    sqlite: [`INSERT OR IGNORE ${insert(migrationTime.sqlite)}`],
    mariadb: [`INSERT IGNORE ${insert(migrationTime.mariadb)}`],
  },
  down: rowsStay,
}
