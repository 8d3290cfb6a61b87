/** What one kind of damage is, and what all need that do it. */
import type { BuiltUser } from '../support/factories.ts'
import { buildFile } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { pathOfKey, spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

/** Whose files are damaged, and somebody else. */
export interface World {
  server: TestServer
  user: BuiltUser
  other: BuiltUser
  /** What the lost files held, by their ids. */
  lost: Map<number, Buffer>
}

export interface Damage {
  problem: string
  verdict: 'ok' | 'repairable' | 'lost'
  /** True where only --hash finds it. */
  isHidden?: true
  /** Does it; gives back the name under which it is to be told. */
  spoil(world: World): Promise<string>
}

export const spoil = (world: World, ...statements: string[]) => spoilRows(world.server, ...statements)
export const named = ({ user }: World, path: string, id: number) => `${user.username}:${path} (id:${id})`

/** A file of large content; gives back where the bytes lie. */
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
