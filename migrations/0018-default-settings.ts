import type { Migration } from './migration.ts'

/** All off but metadata_enabled, which asks for nothing until there is a field. */
const insert = `INTO settings (\`key\`, value, updated_at) VALUES
  ('validation_enabled', 'false', 0), ('allow_self_validation', 'false', 0), ('auto_validate_admin', 'false', 0),
  ('metadata_enabled', 'true', 0), ('metadata_required_on_upload', 'false', 0)`

const down = ['DELETE FROM settings']

export const defaultSettings: Migration = {
  name: '0018-default-settings',
  up: { sqlite: [`INSERT ${insert}`], mariadb: [`INSERT IGNORE ${insert}`] },
  down: { sqlite: down, mariadb: down },
}
