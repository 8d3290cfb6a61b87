/** The calls about files and folders. */
import type { Actor } from '../access/actor.ts'
import * as api from '../api/files.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { created, ok, type Route, route, sendFile, uploadRoute } from '../http/route.ts'
import { listFiles, listingEtag } from './browse.ts'
import { findAny, findByPath, findItem } from './find.ts'
import { createFolder } from './folders.ts'
import { moveFile, renameFile } from './move.ts'
import { presentDetails } from './present.ts'
import { downloadFile, previewFile } from './read.ts'
import { findRevision } from './space.ts'
import { getFileStats } from './stats.ts'
import { openFolderTotals } from './totals.ts'
import { listTrash, restoreFile, trashFile } from './trash.ts'
import { checkUpload, uploadFile } from './upload.ts'

/** An item of the actor's as the answer to what made or changed it; it may have gone to the trash by that. */
async function answerItem({ db }: Deps, actor: Actor, id: number): Promise<api.ItemAnswer> {
  const row = await findAny(db, actor.spaceId, id)
  if (row === undefined) throw notFound('File')
  return { file: await presentDetails(db, row) }
}

export const fileRoutes = (deps: Deps): Route[] => {
  const { db } = deps
  const totals = openFolderTotals(db)
  return [
    route(api.listFiles, 'files:read', async ({ actor, input, request }) => {
      const revision = await findRevision(db, actor.spaceId)
      const etag = listingEtag(actor.spaceId, revision, input)
      if (request.hasCopy(etag)) return { kind: 'not-modified', etag }
      return ok(await listFiles(db, totals, actor, input, revision), 'OK', etag)
    }),
    route(api.getFile, 'files:read', async ({ actor, input }) =>
      ok({ file: await presentDetails(db, await findItem(db, actor.spaceId, input.id)) }),
    ),
    route(api.getFileByPath, 'files:read', async ({ actor, input }) =>
      ok({ file: await presentDetails(db, await findByPath(db, actor.spaceId, input.path)) }),
    ),
    uploadRoute(
      api.uploadFile,
      'files:upload',
      ({ actor, input, contentLength }) => checkUpload(deps, actor, input, contentLength),
      async ({ actor, input, upload }) => {
        const id = await uploadFile(deps, actor, input, upload.fileName, upload.blob)
        return created(await answerItem(deps, actor, id), 'File uploaded')
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
    route(api.moveFile, 'files:write', async ({ actor, input }) => {
      await moveFile(db, actor, input.id, input.parent_id ?? null)
      return ok(await answerItem(deps, actor, input.id), 'Moved')
    }),
    route(api.downloadFile, 'files:read', async ({ actor, input }) =>
      sendFile(await downloadFile(deps, actor, input.id)),
    ),
    route(api.previewFile, 'files:read', async ({ actor, input }) =>
      sendFile(await previewFile(deps, actor, input.id)),
    ),
    route(api.trashFile, 'files:delete', async ({ actor, input }) => {
      await trashFile(db, actor, input.id)
      return ok(await answerItem(deps, actor, input.id), 'Moved to trash')
    }),
    route(api.restoreFile, 'files:delete', async ({ actor, input }) => {
      await restoreFile(db, actor, input.id)
      return ok(await answerItem(deps, actor, input.id), 'Restored')
    }),
    route(api.listTrash, 'files:read', async ({ actor, input }) => ok(await listTrash(db, actor, input))),
    route(api.getFileStats, 'files:read', async ({ actor }) => ok(await getFileStats(db, actor))),
  ]
}
