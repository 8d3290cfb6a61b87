/** A connection of its own for migrations, by Sequelize. */
import { unescape as decode } from 'node:querystring'
import type { Connection as Session } from 'mysql2'
import { Sequelize } from 'sequelize'
import type { DatabaseConfig } from '../config-values.ts'
import { strictMode } from './mariadb.ts'
import { createPrivateFile } from './sqlite.ts'

/** Passes the URL to the driver unchanged, as mariadb-pool.ts does, and leaves out Sequelize's own settings. */
export async function connectMariadb(url: string): Promise<Sequelize> {
  const { driver, findHost } = await import('./mariadb-pool.ts')
  const host = await findHost(url)
  const sequelize = new Sequelize({
    dialect: 'mysql',
    dialectModule: driver,
    dialectOptions: { uri: host, host: undefined, port: undefined },
    database: decode(new URL(url).pathname.slice(1)),
    logging: false,
    pool: { max: 1 },
  })
  // A trigger keeps the SQL mode of the session that created it.
  sequelize.addHook('afterConnect', connection => setStrict(connection as Session))
  return sequelize
}

const setStrict = (session: Session): Promise<void> =>
  new Promise((resolve, reject) => {
    session.query(`SET SESSION sql_mode = '${strictMode}'`, error => (error ? reject(error) : resolve()))
  })

export async function openConnection(config: DatabaseConfig): Promise<Sequelize> {
  if (config.dialect === 'mariadb') return connectMariadb(config.url)
  await createPrivateFile(config.file)
  return new Sequelize({ dialect: 'sqlite', storage: config.file, logging: false })
}
