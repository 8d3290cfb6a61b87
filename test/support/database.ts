/** Opens a migrated database for a test that needs no server. */
import { rm } from 'node:fs/promises'
import type { Config } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { createUser } from '../../src/users/create-user.ts'
import { migrateTest } from './migrated.ts'
import { createConfig } from './test-server.ts'

export interface TestStore {
  db: Database
  config: Config
  close(): Promise<void>
}

export async function openTestDatabase(): Promise<TestStore> {
  const { config, database } = await createConfig()
  await migrateTest(config.database)
  const db = await openDatabase(config.database)
  return {
    db,
    config,
    close: async () => {
      await db.close()
      await database.drop()
      await rm(config.dataDir, { recursive: true, force: true })
    },
  }
}

/** Adds a user without a password, for tests of rows; returns the id of the user's space. */
export async function addSpace(db: Database, username: string): Promise<{ userId: number; spaceId: number }> {
  const userId = await createUser(db, systemActor, {
    username,
    email: `${username}@example.org`,
    passwordHash: 'none',
    role: 'user',
  })
  const space = await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [userId])
  return { userId, spaceId: space?.id ?? 0 }
}
