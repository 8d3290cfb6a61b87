/** The description of one kind of damage, and helpers to do damage. */
import type { BuiltUser } from '../support/factories.ts'
import { buildFile } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { pathOfKey, spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

/** The owner of the damaged files, and another user. */
export interface World {
  server: TestServer
  user: BuiltUser
  other: BuiltUser
  /** The contents of the lost files by their ids. */
  lost: Map<number, Buffer>
}

export interface Damage {
  problem: string
  verdict: 'ok' | 'repairable' | 'lost'
  /** True when only --hash finds the damage. */
  isHidden?: true
  /** Does the damage, and returns the name in the expected finding. */
  spoil(world: World): Promise<string>
}

export const spoil = (world: World, ...statements: string[]) => spoilRows(world.server, ...statements)
export const named = ({ user }: World, path: string, id: number) => `${user.username}:${path} (id:${id})`

/** Makes a file with large content, and returns its path in the store. */
export async function stored(world: World, name: string) {
  const content = largeContent()
  const { id } = await buildFile(world.user, { name }, content)
  const row = await world.server.deps.db.row<{ key: string; blob_id: number }>(
    'SELECT b.`key`, b.id AS blob_id FROM files f JOIN blobs b ON b.id = f.blob_id WHERE f.id = $1',
    [id],
  )
  if (row === undefined) throw new Error('a file without content')
  return { id, content, ...row, path: pathOfKey(world.server, row.key), told: named(world, `/${name}`, id) }
}
