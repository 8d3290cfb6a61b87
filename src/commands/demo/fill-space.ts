/** Adds the demo's samples, as their user would: through the functions behind the API. */
import { Readable } from 'node:stream'
import type { Actor } from '../../access/actor.ts'
import { permissionsOf } from '../../access/sessions.ts'
import { receiveBlob } from '../../blobs/receive.ts'
import type { Deps } from '../../deps.ts'
import { favoriteFile } from '../../files/favorites.ts'
import { createFolder } from '../../files/folders.ts'
import { tagFiles } from '../../files/tagging.ts'
import { trashFile } from '../../files/trash.ts'
import { uploadFile } from '../../files/upload.ts'
import { createTag } from '../../tags/tags.ts'
import { findByUsername } from '../../users/find.ts'
import { type Sample, samples, sampleTags } from './samples.ts'

const day = 86_400_000

/** The demo's user as a caller. */
export async function actAs({ db }: Deps, username: string): Promise<Actor> {
  const user = await findByUsername(db, username)
  if (user === undefined) throw new Error(`The demo has no user ${username}`)
  return {
    userId: user.id,
    username,
    root: { spaceId: user.space_id, folderId: null },
    permissions: new Set(permissionsOf(user)),
    mustChangePassword: false,
    sessionId: null,
    key: null,
    link: null,
    address: 'localhost',
  }
}

/** Fills a user's own space. Returns the ids of the items by path. */
export async function fillSpace(deps: Deps, actor: Actor): Promise<Map<string, number>> {
  const tagIds = new Map<string, number>()
  for (const [name, color] of Object.entries(sampleTags)) {
    tagIds.set(name, await createTag(deps.db, actor, { name, color }))
  }
  const ids = new Map<string, number>()
  await addSamples(deps, actor, samples, ids, tagIds)
  return ids
}

/** Adds samples, and their ids to `ids`, which has those of the folders that are there already. */
export async function addSamples(
  deps: Deps,
  actor: Actor,
  added: readonly Sample[],
  ids: Map<string, number>,
  tagIds: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  const { db } = deps
  for (const sample of added) {
    const id = await addItem(deps, actor, sample, ids)
    ids.set(sample.path, id)
    for (const tag of sample.tags ?? []) {
      await tagFiles(db, actor, { tag_id: tagIds.get(tag) ?? 0, file_ids: [id] })
    }
    if (sample.isFavorite) await favoriteFile(db, actor, id, true)
    if (sample.isTrashed) await trashFile(db, actor, id)
  }
  await dateItems(deps, actor, added, ids)
}

/** Creates one item in its folder; the folder comes before it in the list of samples. */
async function addItem(deps: Deps, actor: Actor, { path, content }: Sample, ids: Map<string, number>): Promise<number> {
  const cut = path.lastIndexOf('/')
  const name = path.slice(cut + 1)
  const parent_id = cut < 0 ? null : ids.get(path.slice(0, cut))
  if (content === undefined) return (await createFolder(deps.db, actor, { name, parent_id })).id
  const bytes = Buffer.from(await content())
  const blob = await receiveBlob(deps.store, Readable.from([bytes]), { limit: bytes.length })
  return uploadFile(deps, actor, { name, parent_id }, name, blob)
}

/** Sets the items' times directly, since no API call can: a list where everything is new would show little. */
async function dateItems(
  { db }: Deps,
  { permissions }: Actor,
  added: readonly Sample[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  await db.touch(async () => {
    for (const { path, age, isPending } of added) {
      const at = Date.now() - age * (day + 3_217_000)
      const status = isPending && !permissions.has('validation:review') ? 'pending' : 'approved'
      await db.change('UPDATE files SET created_at = $1, updated_at = $1, validation_status = $2 WHERE id = $3', [
        at,
        status,
        ids.get(path) ?? 0,
      ])
    }
  })
}
