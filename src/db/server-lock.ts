/** One server on a SQLite database: what it keeps in memory, and what it takes for left behind, is nobody else's. */
import type { DatabaseConfig } from '../config.ts'
import { withFileLock } from './file-lock.ts'

/**
 * Runs something while no other process serves or migrates a SQLite database; the system ends that with the process,
 * however it ends. MariaDB has any number of servers. Throws `in_use` where another is at it.
 */
export async function withServerLock<T>(config: DatabaseConfig, work: () => Promise<T>): Promise<T> {
  if (config.dialect === 'mariadb') return work()
  const { file } = config
  return withFileLock(`${file}.lock`, `Another process serves or migrates ${file}: stop it first`, work)
}
