/** The routes for files and folders. */
import type { Actor } from '../access/actor.ts'
import * as content from '../api/content.ts'
import * as api from '../api/files.ts'
import type { ItemAnswer } from '../api/items.ts'
import {
  listLargest as largest,
  listRecent as recent,
  searchFiles as search,
  getFileStats as stats,
} from '../api/search.ts'
import { listFileTags, tagFiles, untagFiles } from '../api/tags.ts'
import * as trash from '../api/trash.ts'
import { uploadMany } from '../api/upload-many.ts'
import type { Deps } from '../deps.ts'
import { listItemEvents } from '../events/list.ts'
import { created, ok, sendFile, sendStream } from '../reply.ts'
import { type Route, route, uploadManyRoute, uploadRoute } from '../route.ts'
import { findItemTags } from '../tags/find.ts'
import { findStandingSince } from './arrival.ts'
import { actionAccess, batchFiles } from './batch.ts'
import { findListingEtag, listFiles } from './browse.ts'
import { copyFile } from './copy/copy.ts'
import { deleteFile, emptyTrash } from './delete/purge.ts'
import { favoriteFile, listFavorites } from './favorites.ts'
import type { Files } from './files.ts'
import { findByPath, findEntry, findFolder, findItem } from './find.ts'
import { getFolderSize } from './folder-size.ts'
import { createFolder } from './folders.ts'
import { openItemCounts } from './item-counts.ts'
import { listLargest } from './largest.ts'
import { setFileMetadata } from './metadata.ts'
import { setModifiedAt } from './modified-at.ts'
import { moveFile } from './move.ts'
import { presentChanged, presentDetails } from './present.ts'
import { downloadFile, noteReview, previewFile } from './read.ts'
import { listRecent } from './recent.ts'
import { renameFile } from './rename.ts'
import { replaceFile } from './replace.ts'
import { searchFiles } from './search/search.ts'
import { getFileStats } from './stats.ts'
import * as tagging from './tagging.ts'
import { listTrash, restoreFile, trashFile } from './trash.ts'

/** The answer to a call that made or changed an item of the actor. */
const answerItem = async ({ db }: Deps, actor: Actor, id: number): Promise<ItemAnswer> => ({
  file: await presentChanged(db, actor, id),
})

export const fileRoutes = (deps: Deps, files: Files): Route[] => {
  const { db } = deps
  const lists = { db, countItems: openItemCounts(db) }
  return [
    route(api.listFiles, 'files:read', async ({ actor, input, request }) => {
      const place = await findFolder(db, actor, input.parent_id ?? null, 'see')
      const etag = await findListingEtag(db, actor, place, input)
      if (etag !== undefined && request.hasCopy(etag)) return { kind: 'not-modified', etag }
      return ok(await listFiles(db, actor, place, input), 'OK', etag)
    }),
    route(api.getFile, 'files:read', async ({ actor, input }) => {
      const row = await findEntry(db, actor, input.id)
      noteReview(deps, actor, row, 'file.view')
      return ok({ file: await presentDetails(db, actor, row) })
    }),
    ...[api.getFileByPath, api.findFileByPath].map(endpoint =>
      route(endpoint, 'files:read', async ({ actor, input }) =>
        ok({ file: await presentDetails(db, actor, await findByPath(db, actor, input.path, input.in ?? null)) }),
      ),
    ),
    uploadRoute(
      api.uploadFile,
      'files:upload',
      ({ actor, input, contentLength }) => files.admitUpload(actor, input, contentLength),
      async ({ actor, input, upload }) =>
        created({ file: await files.upload(actor, input, upload.fileName, upload.blob) }, 'File uploaded'),
    ),
    uploadManyRoute(
      uploadMany,
      'files:upload',
      ({ actor, input }) => files.admitMany(actor, input),
      async ({ actor, input, items, countStored }) => {
        const results = await files.uploadMany(actor, input, items)
        countStored(results.filter(result => result.ok).length)
        return ok({ results }, 'Done')
      },
    ),
    uploadRoute(
      api.replaceContent,
      { all: ['files:upload', 'files:write'] },
      ({ actor, input, contentLength, request }) =>
        files.admitReplacement(actor, input.id, request.ifMatch, contentLength),
      async ({ actor, input, upload, request }) => {
        await replaceFile(deps, actor, input, request.ifMatch, upload.blob)
        return ok(await answerItem(deps, actor, input.id), 'Content replaced')
      },
    ),
    route(api.createFolder, 'files:write', async ({ actor, input }) => {
      const { id, isNew } = await createFolder(db, actor, input)
      const answer = await answerItem(deps, actor, id)
      return isNew ? created(answer, 'Folder created') : ok(answer, 'Folder exists')
    }),
    route(api.renameFile, 'files:write', async ({ actor, input }) => {
      await renameFile(db, actor, input.id, input.name)
      return ok(await answerItem(deps, actor, input.id), 'Renamed')
    }),
    route(api.setModifiedAt, 'files:write', async ({ actor, input }) => {
      await setModifiedAt(db, actor, input.id, input.modified_at)
      return ok(await answerItem(deps, actor, input.id), 'Time set')
    }),
    route(api.moveFile, actionAccess.move, async ({ actor, input }) => {
      const id = await moveFile(deps, actor, input)
      return ok(await answerItem(deps, actor, id), 'Moved')
    }),
    route(api.setFileMetadata, 'files:write', async ({ actor, input }) => {
      await setFileMetadata(deps, actor, input.id, input.metadata)
      return ok(await answerItem(deps, actor, input.id), 'Metadata saved')
    }),
    route(api.copyFile, { all: ['files:read', 'files:write'] }, async ({ actor, input }) => {
      const id = await copyFile(deps, actor, input)
      return created(await answerItem(deps, actor, id), 'Copied')
    }),
    route(content.downloadFile, 'files:read', async ({ actor, input }) =>
      sendFile(await downloadFile(deps, actor, input.id)),
    ),
    route(content.previewFile, 'files:read', async ({ actor, input }) =>
      sendFile(await previewFile(deps, actor, input.id)),
    ),
    route(content.getThumbnail, 'files:read', async ({ actor, input, request }) =>
      sendFile(await files.getThumbnail(actor, input.id, request.isGone)),
    ),
    route(content.archiveFolder, 'files:read', async ({ actor, input }) =>
      sendStream(await files.archiveFolder(actor, input.id)),
    ),
    route(content.archiveItems, 'files:read', async ({ actor, input }) =>
      sendStream(await files.archiveItems(actor, input.ids)),
    ),
    route(trash.trashFile, actionAccess.trash, async ({ actor, input }) => {
      const trashed = await trashFile(db, actor, input.id)
      return ok({ file: await presentDetails(db, actor, trashed) }, 'Moved to trash')
    }),
    route(trash.restoreFile, actionAccess.restore, async ({ actor, input }) => {
      await restoreFile(db, actor, input.id)
      return ok(await answerItem(deps, actor, input.id), 'Restored')
    }),
    route(trash.deleteFile, 'files:delete', async ({ actor, input }) => {
      await deleteFile(deps, actor, input.id)
      return ok(null, 'Deleted')
    }),
    route(trash.emptyTrash, 'files:delete', async ({ actor, input }) =>
      ok({ deleted: await emptyTrash(deps, actor, input) }, 'Trash emptied'),
    ),
    route(trash.listTrash, 'files:read', async ({ actor, input }) => ok(await listTrash(lists, actor, input))),
    route(api.favoriteFile, actionAccess.favorite, async ({ actor, input }) => {
      await favoriteFile(db, actor, input.id, input.is_favorite)
      return ok(
        await answerItem(deps, actor, input.id),
        input.is_favorite ? 'Added to favorites' : 'Removed from favorites',
      )
    }),
    route(api.listFavorites, 'files:read', async ({ actor, input }) => ok(await listFavorites(lists, actor, input))),
    route(listFileTags, 'files:read', async ({ actor, input }) => {
      const { id } = await findItem(db, actor, input.id, 'see')
      return ok({ tags: (await findItemTags(db, actor.userId, [id])).get(id) ?? [] })
    }),
    route(tagFiles, actionAccess.tag, async ({ actor, input }) =>
      ok({ changed: await tagging.tagFiles(db, actor, input) }, 'Files tagged'),
    ),
    route(untagFiles, actionAccess.untag, async ({ actor, input }) =>
      ok({ changed: await tagging.untagFiles(db, actor, input) }, 'Tag removed'),
    ),
    route(api.getFolderSize, 'files:read', async ({ actor, input }) => ok(await getFolderSize(db, actor, input.id))),
    route(api.listFileEvents, 'files:read', async ({ actor, input }) => {
      const findPresentStanding = () => findStandingSince(db, actor, input.id, 'change')
      return ok(await listItemEvents(db, actor, findPresentStanding, input))
    }),
    // Which of these permissions is needed depends on the action in the body; batchFiles checks it.
    route(api.batchFiles, { any: [...new Set(Object.values(actionAccess))] }, async ({ actor, input }) =>
      ok({ results: await batchFiles(deps, actor, input) }, 'Done'),
    ),
    route(search, 'files:search', async ({ actor, input }) => ok(await searchFiles(db, actor, input))),
    route(recent, 'files:read', async ({ actor, input }) => ok(await listRecent(db, actor, input))),
    route(largest, 'files:read', async ({ actor, input }) => ok(await listLargest(db, actor, input))),
    route(stats, 'files:read', async ({ actor }) => ok(await getFileStats(db, actor))),
  ]
}
