/** Compares what everybody reads by every call that finds items with the model. */
import { expect } from 'vitest'
import { abilitiesOn, isRead, type TreeItem } from '../support/access-model.ts'
import { type Caller, nameStart, type SharedWorld } from './shared-world.ts'

interface Listing {
  files: { id: number }[]
  folders?: { id: number }[]
  total: number
}

type Found = number[] | number

const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b)

/** The ids that a call lists, or its status if it is refused. */
async function listed({ client }: Caller, path: string): Promise<Found> {
  const response = await client.raw(`/api${path}`)
  if (response.status !== 200) {
    await response.arrayBuffer()
    return response.status
  }
  const { data } = (await response.json()) as { data: Listing }
  const ids = sorted([...data.files, ...(data.folders ?? [])].map(({ id }) => id))
  expect(data.total, path).toBe(ids.length)
  return ids
}

async function statusOf({ client }: Caller, path: string): Promise<number> {
  const response = await client.raw(`/api${path}`)
  await response.arrayBuffer()
  return response.status
}

const idsOf = (items: readonly TreeItem[]): number[] => sorted(items.map(({ id }) => id))

/** What a caller should find by each call: a list of ids, or a status. `isFull`: by each call of each item. */
function expectedOf({ model, known }: SharedWorld, caller: Caller, isFull: boolean): Record<string, Found> {
  const read = [...model.tree.values()].filter(item => isRead(model, caller, item))
  const childrenOf = (id: number | null, spaceId: number | null) =>
    idsOf(read.filter(item => item.parentId === id && (id !== null || item.spaceId === spaceId)))
  const isReadable = (id: number) => read.some(item => item.id === id)
  const statuses = (items: readonly TreeItem[], path: (id: number) => string) =>
    items.map(({ id }): [string, Found] => [path(id), isReadable(id) ? 200 : 404])
  const items = [...known.values()]
  const [folders, files] = [items.filter(({ isFolder }) => isFolder), items.filter(({ isFolder }) => !isFolder)]
  const { scopeId, spaceId } = caller
  const hasRoot = scopeId === null || isReadable(scopeId)
  // Of a drop box that shows nothing of others, a search finds what is in it and not the folder.
  const found = read.filter(item => !item.isFolder || abilitiesOn(model, caller, item, 0).see)
  return Object.fromEntries([
    ...folders.map(({ id }) => [`/files?parent_id=${id}`, isReadable(id) ? childrenOf(id, null) : 404]),
    ...statuses(files, id => `/files/${id}/download`),
    ...(isFull ? statuses(items, id => `/files/${id}`) : []),
    ['/files', hasRoot ? childrenOf(scopeId, spaceId) : 404],
    [`/files/search?q=${nameStart}`, hasRoot ? idsOf(found) : 404],
  ]) as Record<string, Found>
}

/** The shares that a user receives, without those on team folders themselves. */
async function expectReceived({ model }: SharedWorld, caller: Caller): Promise<void> {
  const expected = model.shares.filter(({ itemId, users }) => {
    const item = model.tree.get(itemId)
    const isTeamRoot = item !== undefined && item.parentId === null && !model.owners.has(item.spaceId)
    const isOwn = item !== undefined && model.owners.get(item.spaceId) === caller.userId
    return users.has(caller.userId) && item?.trashRoot === null && !isTeamRoot && !isOwn
  })
  const response = await caller.client.raw('/api/shares/received')
  const { data } = (await response.json()) as { data: { shares: { id: number }[] } }
  expect(sorted(data.shares.map(({ id }) => id)), `${caller.label} receives`).toEqual(
    sorted(expected.map(({ id }) => id)),
  )
}

/** Fails unless every caller reads exactly what the model says, by some calls or (`isFull`) by more. */
export async function expectReads(world: SharedWorld, isFull: boolean): Promise<void> {
  for (const caller of world.callers) {
    const expected = expectedOf(world, caller, isFull)
    const read = await Promise.all(
      Object.keys(expected).map(async (path): Promise<[string, Found]> => {
        const isItem = /^.files.[0-9]/.test(path)
        return [path, await (isItem ? statusOf : listed)(caller, path)]
      }),
    )
    expect(Object.fromEntries(read), caller.label).toEqual(expected)
    if (caller.scopeId === null) await expectReceived(world, caller)
  }
}
