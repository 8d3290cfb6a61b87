/** The stored schema of MariaDB equals the one that the migrations make. */
import { expect, test } from 'vitest'
import { findSchema } from '../../src/db/schema.ts'
import { openTestDatabase } from '../support/database.ts'
import { onlyOn } from '../support/only-on.ts'

// After a new migration: FILESTORE_TEST_DATABASE=… npx vitest run test/db/mariadb-schema.test.ts --update
test('the stored schema of MariaDB equals that of a new database', async context => {
  onlyOn('mariadb', context)
  const store = await openTestDatabase()
  const lines = (await findSchema(store.db)).map(part => `  ${JSON.stringify(part)}`)
  await store.close()
  await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot('../../src/db/mariadb-schema.json')
})
