/** What people do in shared trees, and what the model says of it: whether it succeeds, and what is there afterwards. */
import { expect } from 'vitest'
import { addGroupMember, removeGroupMember } from '../../src/api/groups.ts'
import {
  abilitiesOn,
  type GivenLevel,
  isBelow,
  isRead,
  isThere,
  type Tree,
  type TreeItem,
} from '../support/access-model.ts'
import { type Caller, nameStart, refresh, type SharedWorld } from './shared-world.ts'

export const acts = [
  ...['share', 'share', 'unshare', 'group', 'upload', 'make-folder', 'move', 'move', 'copy', 'trash', 'restore'],
  'purge',
] as const satisfies string[]

export interface Step {
  act: string
  who: number
  item: number
  into: number
  to: number
  level: GivenLevel
}

/** A step whose numbers have become callers and items of the world as it is. */
interface Scene {
  world: SharedWorld
  caller: Caller
  item: TreeItem
  /** The folder that the call names; null for the caller's root. */
  into: TreeItem | null
  /** The user to share with; undefined for the group. */
  to: number | undefined
  level: GivenLevel
}

/** What the model says of a call: it succeeds, it is refused, or either. */
type Told = boolean | 'either'

interface Act {
  tell(scene: Scene): Told
  send(scene: Scene): Promise<Response>
}

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value

let count = 0
function newName(): string {
  count += 1
  return `${nameStart} new ${count}`
}

const json = ({ client }: Caller, method: string, path: string, body: object = {}) =>
  client.raw(`/api${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const on = ({ world, caller }: Scene, item: TreeItem) => abilitiesOn(world.model, caller, item, 0)
const above = ({ world, caller }: Scene, item: TreeItem) => abilitiesOn(world.model, caller, item, 1)
const reads = ({ world, caller }: Scene, item: TreeItem) => isRead(world.model, caller, item)
const isThereFor = ({ world, caller }: Scene, item: TreeItem) => isThere(world.model, caller, item)

/** The folder that `into` means: for a key, its root if none is named; null for the root of the own tree. */
const targetOf = ({ world, caller, into }: Scene): TreeItem | null | undefined =>
  into ?? (caller.scopeId === null ? null : world.model.tree.get(caller.scopeId))

/** Whether the caller may add files to the target (`add`), or change what is in it (`change`). */
function mayPut(scene: Scene, need: 'add' | 'change'): boolean {
  const target = targetOf(scene)
  if (target === null) return true
  return target !== undefined && reads(scene, target) && on(scene, target)[need]
}

/** Whether an item would come into itself. */
function isCycle(scene: Scene): boolean {
  const target = targetOf(scene)
  return target !== null && target !== undefined && isBelow(scene.world.model.tree, target, scene.item.id)
}

const isWithin = (scene: Scene): boolean => {
  const { caller, item } = scene
  return (targetOf(scene)?.spaceId ?? caller.spaceId) === item.spaceId
}

function mayShare(scene: Scene): boolean {
  const { world, caller, item, to, level } = scene
  const isForOther = to !== caller.userId && to !== world.model.owners.get(item.spaceId)
  const isFit = level !== 'upload' || item.isFolder
  return (
    caller.scopeId === null && reads(scene, item) && on(scene, item).manage && isFit && (to === undefined || isForOther)
  )
}

const parentOf = ({ into }: Scene) => ({ parent_id: into?.id ?? null })

const byAct: Record<string, Act> = {
  upload: {
    tell: scene => mayPut(scene, 'add'),
    send: ({ caller, into }) => {
      const form = new FormData()
      form.set('parent_id', into === null ? '' : String(into.id))
      form.set('name', newName())
      form.set('file', new Blob(['bytes']), 'file.bin')
      return caller.client.raw('/api/files/upload', { method: 'POST', body: form })
    },
  },
  'make-folder': {
    tell: scene => mayPut(scene, 'change'),
    send: scene => json(scene.caller, 'POST', '/files/folders', { name: newName(), ...parentOf(scene) }),
  },
  move: {
    tell: scene => {
      const { item } = scene
      const need = isWithin(scene) || item.isFolder ? 'change' : 'add'
      return reads(scene, item) && above(scene, item).change && mayPut(scene, need) && !isCycle(scene)
    },
    send: scene => json(scene.caller, 'PUT', `/files/${scene.item.id}/move`, { name: newName(), ...parentOf(scene) }),
  },
  copy: {
    tell: scene => reads(scene, scene.item) && mayPut(scene, scene.item.isFolder ? 'change' : 'add') && !isCycle(scene),
    send: scene => json(scene.caller, 'POST', `/files/${scene.item.id}/copy`, { name: newName(), ...parentOf(scene) }),
  },
  trash: {
    tell: scene => reads(scene, scene.item) && above(scene, scene.item).change,
    send: ({ caller, item }) => json(caller, 'PUT', `/files/${item.id}/trash`),
  },
  restore: {
    tell: scene => {
      const { item } = scene
      if (!isThereFor(scene, item) || item.trashRoot !== item.id || !above(scene, item).change) return false
      // Where it comes back depends on which folders are left, and the caller may have to change that one.
      return 'either'
    },
    send: ({ caller, item }) => json(caller, 'PUT', `/files/${item.id}/restore`),
  },
  purge: {
    tell: scene => {
      const { item } = scene
      return isThereFor(scene, item) && item.trashRoot === item.id && on(scene, item).manage
    },
    send: ({ caller, item }) => caller.client.raw(`/api/files/${item.id}/permanent`, { method: 'DELETE' }),
  },
  share: {
    tell: mayShare,
    send: ({ world, caller, item, to, level }) =>
      json(caller, 'POST', '/shares', {
        item_id: item.id,
        level,
        ...(to === undefined ? { group_id: world.groupId } : { user_id: to }),
      }),
  },
}

/** Notes a share that was given: a new one, or another level of one that was there. */
async function noteShare({ world, item, to, level }: Scene, response: Response): Promise<void> {
  const { data } = (await response.json()) as { data: { share: { id: number } } }
  world.given = world.given.filter(({ id }) => id !== data.share.id)
  world.given.push({ id: data.share.id, itemId: item.id, level, userId: to ?? 0, toGroup: to === undefined })
}

/** Ends one of the shares that the test has given. */
async function unshare(world: SharedWorld, caller: Caller, index: number): Promise<void> {
  const given = world.given.filter(({ level }) => level !== 'manage')
  if (given.length === 0) return
  const share = pick(given, index)
  const item = world.model.tree.get(share.itemId) as TreeItem
  const isTheirs = !share.toGroup && share.userId === caller.userId
  const isManaged = isThere(world.model, caller, item) && abilitiesOn(world.model, caller, item, 0).manage
  // A key for one folder makes no call about shares.
  const told = caller.scopeId === null && (isTheirs || isManaged)
  const response = await json(caller, 'DELETE', `/shares/${share.id}`)
  expect([caller.label, 'unshare', response.ok]).toEqual([caller.label, 'unshare', told])
  if (response.ok) world.given = world.given.filter(({ id }) => id !== share.id)
}

async function changeGroup({ admin, groupId, members, people }: SharedWorld, index: number): Promise<void> {
  const { id } = pick(people, index)
  const isMember = members.delete(id)
  if (!isMember) members.add(id)
  await admin.call(isMember ? removeGroupMember : addGroupMember, { id: groupId, user_id: id })
}

/** Fails unless a copy has what its maker reads of the source, and nothing else. */
function expectCopied({ world, caller, item }: Scene, before: SharedWorld['model'], after: Tree): void {
  const expected = [...before.tree.values()].filter(
    one => one.id !== item.id && isBelow(before.tree, one, item.id) && isRead(before, caller, one),
  )
  const made = [...after.values()].filter(({ id }) => !before.tree.has(id) && world.spaceIds.length > 0)
  const root = made.find(({ parentId }) => parentId === null || before.tree.has(parentId))
  const names = (items: readonly TreeItem[]) => items.map(({ name }) => name).sort()
  expect(names(made.filter(one => one !== root))).toEqual(names(expected))
}

/** Of half the numbers, a value that fits if there is one; of the others, any. */
function pickFitting<Value>(values: readonly Value[], index: number, fits: (value: Value) => boolean): Value {
  const fitting = index % 2 === 0 ? values.filter(fits) : []
  return pick(fitting.length > 0 ? fitting : values, Math.floor(index / 2))
}

function sceneOf(world: SharedWorld, step: Step): Scene {
  const items = [...world.model.tree.values()]
  const folders = items.filter(({ isFolder }) => isFolder)
  const caller = pick(step.act === 'share' ? world.callers.slice(0, world.people.length) : world.callers, step.who)
  const isOfTrash = step.act === 'restore' || step.act === 'purge'
  const fits = (item: TreeItem) =>
    isOfTrash ? item.trashRoot === item.id && isThere(world.model, caller, item) : isRead(world.model, caller, item)
  return {
    world,
    caller,
    item: pickFitting(items, step.item, fits),
    into: pickFitting([null, ...folders], step.into, folder => folder === null || isRead(world.model, caller, folder)),
    to: pick([...world.people.map(({ id }) => id), undefined], step.to),
    level: step.level,
  }
}

/** Makes one step, and fails unless it succeeds or is refused as the model says. */
export async function run(world: SharedWorld, step: Step): Promise<void> {
  const scene = sceneOf(world, step)
  if (step.act === 'group') await changeGroup(world, step.to)
  else if (step.act === 'unshare') await unshare(world, scene.caller, step.item)
  else await runCall(scene, step.act)
  await refresh(world)
}

async function runCall(scene: Scene, name: string): Promise<void> {
  const { world, caller } = scene
  const act = byAct[name] as Act
  const before = world.model
  const told = act.tell(scene)
  const response = await act.send(scene)
  const text = [
    caller.label,
    name,
    scene.item.name,
    'to',
    scene.into?.name ?? 'the root',
    String(response.status),
  ].join(' ')
  if (told !== 'either') expect(response.ok, text).toBe(told)
  if (!response.ok) expect([400, 403, 404, 409], text).toContain(response.status)
  if (response.ok && name === 'share') await noteShare(scene, response)
  await refresh(world)
  if (!response.ok) expect(world.model.tree, text).toEqual(before.tree)
  else if (name === 'copy') expectCopied(scene, before, world.model.tree)
}
