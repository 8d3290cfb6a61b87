/** Damages rows of files as a disk does: no trigger sees it, so what is counted apart from the rows stays as it was. */
import { findSchema } from '../../src/db/schema.ts'
import { spoilRows } from './spoil.ts'
import type { TestServer } from './test-server.ts'

/** Runs statements without the triggers that count. */
export async function spoilUncounted(server: TestServer, ...statements: string[]): Promise<void> {
  const { db } = server.deps
  const parts = await findSchema(db)
  const triggers = parts.filter(
    ({ kind, table, name }) => kind === 'trigger' && table === 'files' && name.includes('count'),
  )
  await spoilRows(
    server,
    ...triggers.map(({ name }) => `DROP TRIGGER ${name}`),
    ...statements,
    ...triggers.map(({ definition }) => (db.dialect === 'sqlite' ? definition : `CREATE ${definition}`)),
  )
}
