/** Names items for administrators: owner and path, wherever the items are. */
import { isLive } from '../../access/policy.ts'
import { maxTreeDepth } from '../../api/limits.ts'
import type { Database } from '../../db/database.ts'
import { readPages } from '../../db/read-on.ts'
import { isOneOf } from '../../db/values.ts'
import { addPaths, type FolderPaths, type FolderSeen, pathOf } from '../../files/paths.ts'

interface NamedItem {
  id: number
  space_id: number
  /** `jana:/Docs/a.pdf`; for an item in the trash, its former path. */
  name: string
}

interface NameRow {
  id: number
  space_id: number
  parent_id: number | null
  name: string
  deleted_at: number | null
  trash_root_id: number | null
  username: string | null
}

const nameQuery = `SELECT f.id, f.space_id, f.parent_id, f.name, f.deleted_at, f.trash_root_id, u.username
  FROM files f LEFT JOIN spaces s ON s.id = f.space_id LEFT JOIN users u ON u.id = s.owner_id`

const ownerOf = ({ username, space_id }: NameRow): string => username ?? `space ${space_id}`

/** The folder of an item, with its whole path. */
const folderOf = ({ parent_id }: NameRow): FolderSeen => ({ folderId: parent_id, rootId: null })

async function nameAll(db: Database, rows: readonly NameRow[]): Promise<NamedItem[]> {
  const paths: FolderPaths = new Map()
  await addPaths(db, paths, rows.map(folderOf))
  return rows.map(row => {
    const folder = pathOf(paths, folderOf(row)) ?? ''
    // In a cycle the path never ends.
    const way = folder.split('/').length > maxTreeDepth + 1 ? '…' : folder
    const name = `${ownerOf(row)}:${way}/${row.name}${isLive(row) ? '' : ' (trash)'}`
    return { id: row.id, space_id: row.space_id, name }
  })
}

/** The name of one item; its id when the row is gone. */
export async function nameItem(db: Database, id: number): Promise<string> {
  const rows = await db.rows<NameRow>(`${nameQuery} WHERE ${isOneOf('f.id', [id])}`, [id])
  return (await nameAll(db, rows))[0]?.name ?? `id:${id}`
}

/** An item with a wrong place in the tree: its owner and its own name, without a path. */
export async function nameOutOfTree(db: Database, id: number): Promise<string> {
  const [row] = await db.rows<NameRow>(`${nameQuery} WHERE ${isOneOf('f.id', [id])}`, [id])
  return row === undefined ? `id:${id}` : `${ownerOf(row)}: '${row.name}'`
}

/** A folder of a space; 0 for its top. */
export async function nameFolder(db: Database, spaceId: number, folderId: number): Promise<string> {
  if (folderId !== 0) return `${await nameItem(db, folderId)} (id:${folderId})`
  return `${await nameSpace(db, spaceId)}:/`
}

/** The owner of a space, or its id if there is none. */
export async function nameSpace(db: Database, spaceId: number): Promise<string> {
  const owner = await db.row<{ username: string }>(
    'SELECT u.username FROM spaces s JOIN users u ON u.id = s.owner_id WHERE s.id = $1',
    [spaceId],
  )
  return owner?.username ?? `space ${spaceId}`
}

/** Files per page. */
const pageSize = 200

/** Every file with a content, live or trashed. */
export async function* nameFilesOf(db: Database, blobId: number): AsyncGenerator<NamedItem> {
  const pages = readPages<NameRow>(db, {
    read: ([after = 0]) =>
      db.rows(`${nameQuery} WHERE f.blob_id = $1 AND f.id > $2 ORDER BY f.id LIMIT ${pageSize}`, [blobId, after]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const rows of pages) yield* await nameAll(db, rows)
}

/** The name of a content: that of its first file. */
export async function nameFirstOf(db: Database, blobId: number): Promise<string> {
  for await (const { name, id } of nameFilesOf(db, blobId)) return `${name} (id:${id})`
  return `content ${blobId}`
}
