/** The routes for tags; those for tagging files are in src/files/routes.ts. */
import { wholeListSize } from '../api/limits.ts'
import { createTag, deleteTag, listTags, updateTag } from '../api/tags.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { findCountedTag, findTags } from './find.ts'
import { presentTag } from './present.ts'
import * as tags from './tags.ts'

export const tagRoutes = ({ db }: Deps): Route[] => [
  route(listTags, 'tags:read', async ({ actor }) =>
    ok({ tags: (await findTags(db, actor, wholeListSize)).map(presentTag) }),
  ),
  route(createTag, 'tags:write', async ({ actor, input }) => {
    const id = await tags.createTag(db, actor, input)
    return created({ tag: presentTag(await findCountedTag(db, actor, id)) }, 'Tag created')
  }),
  route(updateTag, 'tags:write', async ({ actor, input }) => {
    await tags.updateTag(db, actor, input)
    return ok({ tag: presentTag(await findCountedTag(db, actor, input.id)) }, 'Tag changed')
  }),
  route(deleteTag, 'tags:write', async ({ actor, input }) => {
    await tags.deleteTag(db, actor, input.id)
    return ok(null, 'Tag deleted')
  }),
]
