/** Folders and chosen items as one ZIP file, made while it is sent. */
import { type Actor, writeActor } from '../../access/actor.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { StreamedBytes } from '../../blobs/file-bytes.ts'
import type { Deps } from '../../deps.ts'
import { type ContentRow, type DetailsRow, findFolder, findItems, findLive, type ItemRow } from '../find.ts'
import { openContent } from '../read.ts'
import { type WalkedItem, walkFolder, walkItems } from './walk.ts'
import { writeZip, type ZipContent, type ZipEntry } from './zip.ts'

async function openRow(deps: Deps, row: ContentRow): Promise<ZipContent> {
  return { size: row.size, bytes: await openContent(deps, row) }
}

/**
 * A file's content; where new content took its place since its row was read, that. Throws where the file is gone or its
 * bytes are: the archive then breaks off, instead of lacking something that nobody misses.
 */
async function openFile(deps: Deps, spaceId: number, id: number, row: ContentRow): Promise<ZipContent> {
  try {
    return await openRow(deps, row)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
    return openRow(deps, await findLive(deps.db, spaceId, id))
  }
}

/** What goes out between two looks at whether the actor may still read: as many items as a folder's page, and bytes. */
const itemsAtOnce = 250
const bytesAtOnce = 64 * 1024 ** 2

async function* entriesOf(deps: Deps, actor: Actor, items: AsyncIterable<WalkedItem>): AsyncGenerator<ZipEntry> {
  let [count, bytes] = [0, 0]
  for await (const { folder, name, row } of items) {
    if (count >= itemsAtOnce || bytes >= bytesAtOnce) {
      await confirmActor(deps.db, actor, ['files:read'])
      count = 0
      bytes = 0
    }
    count += 1
    bytes += row.size
    const open = row.is_directory === 1 ? null : () => openFile(deps, row.space_id, row.id, row)
    yield { folder, name, modifiedAt: row.modified_at ?? row.updated_at, open }
  }
}

type AskedItem = Pick<ItemRow, 'id' | 'name' | 'is_directory'>

/**
 * Tells the audit log of a ZIP file: one event, which is the item's own where a single one was asked for, and else tells
 * how many they are. An event for each would let anybody fill the disk by reading.
 */
function noteArchive({ journal }: Deps, by: Actor, items: readonly AskedItem[], archive: string): void {
  const actor = writeActor(by)
  const [first] = items
  if (first === undefined) return
  if (items.length === 1) {
    const action = first.is_directory === 1 ? 'folder.download' : 'file.download'
    journal.note({ actor, action, itemId: first.id, detail: { name: first.name, archive } })
    return
  }
  const about = items.map(({ id }) => id).join()
  journal.note({ actor, action: 'file.download', itemId: null, detail: { archive, items: items.length }, about })
}

/** A ZIP file; the audit log tells of it once it is sent. */
function zipOf(
  deps: Deps,
  actor: Actor,
  name: string,
  items: readonly AskedItem[],
  walk: () => AsyncIterable<WalkedItem>,
): StreamedBytes {
  const archive = `${name}.zip`
  return {
    name: archive,
    contentType: 'application/zip',
    open: () => {
      noteArchive(deps, actor, items, archive)
      return writeZip(entriesOf(deps, actor, walk()))
    },
  }
}

/** What a folder holds, as `<folder>.zip`. Throws `not_found`, for files too, and `forbidden`. */
export async function archiveFolder(deps: Deps, actor: Actor, id: number): Promise<StreamedBytes> {
  const { folder, spaceId } = await findFolder(deps.db, actor, id, 'see')
  if (folder === null) throw notFound('Folder')
  return zipOf(deps, actor, folder.name, [folder], () => walkFolder(deps.db, spaceId, folder.id))
}

/** Some items, each once. Throws `not_found` unless all of them are live, and `forbidden`. */
export async function archiveItems(deps: Deps, actor: Actor, ids: readonly number[]): Promise<StreamedBytes> {
  const items = await findItems(deps.db, actor, ids, 'see')
  async function* findChosen(): AsyncGenerator<DetailsRow> {
    for (const { id, space_id } of items) yield await findLive(deps.db, space_id, id)
  }
  const names = new Set(items.map(({ name }) => name))
  const day = new Date().toISOString().slice(0, 10)
  return zipOf(deps, actor, `filestore-${day}`, items, () => walkItems(deps.db, findChosen(), names))
}
