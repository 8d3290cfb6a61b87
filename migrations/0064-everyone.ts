import { type Migration, rowsStay } from './migration.ts'

const insert = "INTO user_groups (name, name_key, kind) VALUES ('Everyone', 'everyone', 'everyone')"

/** The group of all active users. */
export const everyone: Migration = {
  name: '0064-everyone',
  up: { sqlite: [`INSERT OR IGNORE ${insert}`], mariadb: [`INSERT IGNORE ${insert}`] },
  down: rowsStay,
}
