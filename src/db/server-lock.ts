/** Allows one server per SQLite database: state in memory and cleanup of leftovers assume that there is no other. */
import type { DatabaseConfig } from '../config-values.ts'
import { withFileLock } from './file-lock.ts'

/**
 * Runs `work` while no other process serves or migrates the SQLite database. The system releases the lock when the
 * process ends, however it ends. MariaDB allows any number of servers. Throws `in_use` if another process holds the
 * lock.
 */
export async function withServerLock<T>(config: DatabaseConfig, work: () => Promise<T>): Promise<T> {
  if (config.dialect === 'mariadb') return work()
  const { file } = config
  return withFileLock(`${file}.lock`, `Another process serves or migrates ${file}: stop it first`, work)
}
