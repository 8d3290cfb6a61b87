import { type Migration, migrationTime, rowsStay } from './migration.ts'

const insert = (now: string) => `INTO settings (\`key\`, value, updated_at) VALUES
  ('sharing_people', 'true', ${now}), ('sharing_everyone', 'true', ${now}),
  ('sharing_find_people', 'names', ${now})`

/** The settings of sharing with people. */
export const sharingSettings: Migration = {
  name: '0071-sharing-settings',
  up: {
    sqlite: [`INSERT OR IGNORE ${insert(migrationTime.sqlite)}`],
    mariadb: [`INSERT IGNORE ${insert(migrationTime.mariadb)}`],
  },
  down: rowsStay,
}
