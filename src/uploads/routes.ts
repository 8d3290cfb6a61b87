/** Routes of unfinished uploads, apart from those of the protocol by which they come. */
import * as api from '../api/tus.ts'
import type { Deps } from '../deps.ts'
import { presentChanged } from '../files/present.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { presentUploads } from './present.ts'
import { findAllOwn } from './rows.ts'

export const uploadRoutes = ({ db, clock, uploads }: Deps): Route[] => [
  route(api.listUploads, 'files:upload', async ({ actor }) =>
    ok({ uploads: await presentUploads(db, actor, await findAllOwn(db, actor, clock.now())) }),
  ),
  route(api.finishUpload, 'files:upload', async ({ actor, input: { id, ...target } }) => {
    // The root of a key for one folder is that folder.
    const place = target.parent_id === null ? { parent_id: actor.root.folderId } : {}
    const { fileId, isNew } = await uploads.finish(actor, id, { ...target, ...place })
    const answer = { file: await presentChanged(db, actor, fileId) }
    return isNew ? created(answer, 'File uploaded') : ok(answer, 'File is there')
  }),
]
