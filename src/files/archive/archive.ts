/** Sends a folder or chosen items as one ZIP file, which is built while it is sent. */
import { type Caller, viewerId, writeActor } from '../../access/actor.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import { isOwn } from '../../access/reach.ts'
import { needToReadOn } from '../../access/standing.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { groupBy } from '../../base/group-by.ts'
import type { StreamedBytes } from '../../blobs/file-bytes.ts'
import type { Deps } from '../../deps.ts'
import { rowsShownTo } from '../children.ts'
import { type Found, findFolder, findItem } from '../find.ts'
import { findItems } from '../find-many.ts'
import type { ContentRow, ItemRow } from '../item-row.ts'
import { openContent } from '../read.ts'
import { type WalkedItem, walkFolder, walkItems } from './walk.ts'
import { writeZip, type ZipContent, type ZipEntry } from './zip.ts'

async function openRow(deps: Deps, row: ContentRow): Promise<ZipContent> {
  return { size: row.size, bytes: await openContent(deps, row) }
}

/**
 * Opens a file's content; if it was replaced since the row was read, the new content, unless the actor may not read that:
 * it may wait for approval, or was written after the file had left what is shared. Throws if it may not be read, or the
 * file or its bytes are gone. The archive then breaks off, so that a missing file does not go unnoticed.
 */
async function openFile(deps: Deps, actor: Caller, row: ContentRow): Promise<ZipContent> {
  try {
    return await openRow(deps, row)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
    return openRow(deps, await findItem(deps.db, actor, row.id, 'see'))
  }
}

/** After this many items (a folder's page) or bytes, check again whether the actor may still read. */
const itemsAtOnce = 250
const bytesAtOnce = 64 * 1024 ** 2

/**
 * Throws unless the actor is still shown all that was shown at the beginning, in all that was asked for and in the folder
 * that holds the next item, and as `confirmActor`. In one's own tree a folder that has moved is read on.
 */
async function confirmReader({ db }: Deps, actor: Caller, roots: readonly AskedItem[], { row, need }: WalkedItem) {
  await confirmActor(db, actor, ['files:read'])
  // A file is the reader's own, or shown, whatever else is shown where it lies.
  const needOf = ({ is_directory, standing }: AskedItem) => (is_directory === 1 ? needToReadOn(standing.here) : 'see')
  const asked = groupBy(roots, needOf)
  for (const [wanted, items] of asked) {
    await findItems(
      db,
      actor,
      items.map(({ id }) => id),
      wanted,
    )
  }
  const isInside = !roots.some(({ id }) => id === row.id) && !isOwn(actor, row)
  if (isInside && row.parent_id !== null) await findItems(db, actor, [row.parent_id], need)
}

async function* entriesOf(
  deps: Deps,
  actor: Caller,
  roots: readonly AskedItem[],
  items: AsyncIterable<WalkedItem>,
): AsyncGenerator<ZipEntry> {
  let [count, bytes] = [0, 0]
  for await (const item of items) {
    const { folder, name, row } = item
    if (count >= itemsAtOnce || bytes >= bytesAtOnce) {
      await confirmReader(deps, actor, roots, item)
      count = 0
      bytes = 0
    }
    count += 1
    bytes += row.size
    const open = row.is_directory === 1 ? null : () => openFile(deps, actor, row)
    yield { folder, name, modifiedAt: row.modified_at ?? row.updated_at, open }
    // The walk reads this folder next. It was found a page ago, and may have left what is shared since.
    if (row.is_directory === 1 && !isOwn(actor, row)) await findItems(deps.db, actor, [row.id], item.need)
  }
}

type AskedItem = Found<Pick<ItemRow, 'id' | 'name' | 'is_directory'>>

/**
 * Records a ZIP download as one event in the audit log: an event of the item if there is a single one, else one with
 * the number of items. With an event for each item, a reader could fill the disk.
 */
function noteArchive({ journal }: Deps, by: Caller, items: readonly AskedItem[], archive: string): void {
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

/** A ZIP file; opening it records the download in the audit log. */
function zipOf(
  deps: Deps,
  actor: Caller,
  name: string,
  found: () => readonly AskedItem[],
  { walk, findAgain }: { walk: () => AsyncIterable<WalkedItem>; findAgain: () => Promise<void> },
): StreamedBytes {
  const archive = `${name}.zip`
  return {
    name: archive,
    contentType: 'application/zip',
    confirm: async () => {
      await confirmActor(deps.db, actor, ['files:read'])
      await findAgain()
    },
    open: () => {
      const items = found()
      noteArchive(deps, actor, items, archive)
      return writeZip(entriesOf(deps, actor, items, walk()))
    },
  }
}

/** The content of a folder as `<folder>.zip`. Throws `not_found`, also for a file, and `forbidden`. */
export async function archiveFolder(deps: Deps, actor: Caller, id: number): Promise<StreamedBytes> {
  const find = () => findFolder(deps.db, actor, id, 'see')
  let found = await find()
  const { folder } = found
  if (folder === null) throw notFound('Folder')
  return zipOf(deps, actor, folder.name, () => [{ ...folder, standing: found.standing }], {
    walk: () => walkFolder(deps.db, found.spaceId, folder.id, rowsShownTo(found.standing.here, viewerId(actor))),
    findAgain: async () => {
      found = await find()
    },
  })
}

const today = (): string => new Date().toISOString().slice(0, 10)

/** Several items as `<name>.zip`, without duplicates. Throws `not_found` unless all are live, and `forbidden`. */
export async function archiveItems(
  deps: Deps,
  actor: Caller,
  ids: readonly number[],
  name = `filestore-${today()}`,
): Promise<StreamedBytes> {
  const find = () => findItems(deps.db, actor, ids, 'see')
  let items = await find()
  async function* findChosen() {
    for (const { id } of items) {
      // It was found when the archive was asked for, which may be hours ago.
      const item = await findItem(deps.db, actor, id, 'see')
      yield { ...item, shown: rowsShownTo(item.standing.here, viewerId(actor)) }
    }
  }
  const names = new Set(items.map(({ name }) => name))
  return zipOf(deps, actor, name, () => items, {
    walk: () => walkItems(deps.db, findChosen(), names),
    findAgain: async () => {
      items = await find()
    },
  })
}
