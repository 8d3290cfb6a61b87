/** The routes for metadata fields. */
import * as api from '../api/metadata.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import * as fields from './fields.ts'
import { findField, findFields } from './find.ts'
import { presentField } from './present.ts'
import { listUploadFields } from './upload-fields.ts'

export const metadataRoutes = ({ db }: Deps): Route[] => [
  route(api.listUploadFields, 'files:upload', async () => ok(await listUploadFields(db))),
  route(api.listFields, 'metadata:manage', async () => ok((await findFields(db)).map(presentField))),
  route(api.createField, 'metadata:manage', async ({ actor, input }) => {
    const id = await fields.createField(db, actor, input)
    return created(presentField(await findField(db, id)), 'Field created')
  }),
  route(api.updateField, 'metadata:manage', async ({ actor, input }) => {
    await fields.updateField(db, actor, input)
    return ok(presentField(await findField(db, input.id)), 'Field updated')
  }),
  route(api.deleteField, 'metadata:manage', async ({ actor, input }) => {
    await fields.deleteField(db, actor, input.id)
    return ok(null, 'Field deleted')
  }),
]
