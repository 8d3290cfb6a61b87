/**
 * Revocations beside writes: nothing is written by a share after its end was committed, whatever ends it; no item is left
 * below a trashed one, and every counter is right.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyFile, createFolder, moveFile } from '../../src/api/files.ts'
import { removeGroupMember } from '../../src/api/groups.ts'
import { deleteShare, updateShare } from '../../src/api/shares.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildGroup, buildShare, buildUser } from '../support/factories.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let owner: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  owner = await buildUser(server)
})
afterAll(() => server.close())

/** The events of a user in the owner's space that came after the last event of an action by others. */
async function eventsAfter(userId: number, action: string): Promise<string[]> {
  const { db } = server.deps
  const rows = await db.rows<{ action: string }>(
    `SELECT e.action FROM events e JOIN spaces s ON s.id = e.space_id AND s.owner_id = $1
     WHERE e.actor_id = $2 AND e.id > (SELECT MAX(r.id) FROM events r WHERE r.action = $3 AND r.actor_id <> $2)`,
    [owner.id, userId, action],
  )
  return rows.map(row => row.action)
}

/** The live items below a trashed one. */
const findStranded = (): Promise<object[]> =>
  server.deps.db.rows(
    `SELECT f.id, f.name FROM files f JOIN files p ON p.id = f.parent_id
     WHERE f.deleted_at IS NULL AND f.trash_root_id IS NULL AND (p.deleted_at IS NOT NULL OR p.trash_root_id IS NOT NULL)`,
  )

interface Scene {
  editor: BuiltUser
  /** What is shared, and the folder in it where the editor works. */
  shared: { id: number }
  root: { id: number }
  /** Files of the editor, a folder of theirs, and files in the root. */
  own: number[]
  ownFolder: number
  inside: number[]
}

async function buildScene(): Promise<Scene> {
  const editor = await buildUser(server)
  const shared = await buildFolder(owner)
  const root = await buildFolder(owner, undefined, shared.id)
  const { id: ownFolder } = await buildFolder(editor)
  const [own, inside]: [number[], number[]] = [[], []]
  for (let n = 0; n < 6; n++) {
    own.push((await buildFile(editor)).id)
    inside.push((await buildFile(owner, { parent_id: root.id })).id)
    await buildFile(editor, { parent_id: ownFolder })
  }
  return { editor, shared, root, own, ownFolder, inside }
}

/** What an editor does in a shared folder; some of it is refused once the share has ended. */
async function act({ editor, root, own, ownFolder, inside }: Scene) {
  const acts = [
    ...own.slice(0, 4).map(id => editor.call(copyFile, { id, parent_id: root.id })),
    ...own.slice(4).map(id => editor.call(moveFile, { id, parent_id: root.id })),
    ...inside.slice(0, 2).map(id => editor.call(trashFile, { id })),
    ...inside.slice(2, 4).map(id => editor.call(moveFile, { id, parent_id: root.id, name: `moved ${id}` })),
    ...inside.slice(4).map(id => editor.call(moveFile, { id, parent_id: null })),
    editor.call(copyFile, { id: ownFolder, parent_id: root.id }),
    ...own.map(id => editor.call(createFolder, { name: `made ${id}`, parent_id: root.id })),
    ...own.map(id => editor.upload('small', { name: `small ${id}`, parent_id: root.id })),
    editor.upload(Buffer.alloc(100_000), { name: 'large', parent_id: root.id }),
  ]
  const outcomes = await Promise.allSettled(acts)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect([403, 404, 503]).toContain(outcome.reason.status)
  }
}

const share = ({ shared, editor }: Scene) => buildShare(owner, shared, editor, 'edit')

/** Gives access; returns what ends it, and the action of its event. */
const revocations: Record<string, (scene: Scene) => Promise<{ action: string; revoke: () => Promise<unknown> }>> = {
  'the end of a share': async scene => {
    const { id } = await share(scene)
    return { action: 'share.delete', revoke: () => owner.call(deleteShare, { id }) }
  },
  'a lower level': async scene => {
    const { id } = await share(scene)
    return { action: 'share.update', revoke: () => owner.call(updateShare, { id, level: 'view' }) }
  },
  'leaving a group': async scene => {
    const group = await buildGroup(admin, [scene.editor])
    await buildShare(owner, scene.shared, { group_id: group.id }, 'edit')
    const input = { id: group.id, user_id: scene.editor.id }
    return { action: 'group.update', revoke: () => admin.call(removeGroupMember, input) }
  },
  'a move out of the shared folder': async scene => {
    await share(scene)
    return { action: 'file.move', revoke: () => owner.call(moveFile, { id: scene.root.id, parent_id: null }) }
  },
  'its trashing': async scene => {
    await share(scene)
    return { action: 'file.trash', revoke: () => owner.call(trashFile, { id: scene.shared.id }) }
  },
  'its permanent deletion': async scene => {
    await share(scene)
    const { id } = scene.shared
    const revoke = async () => {
      await owner.call(trashFile, { id })
      await owner.call(deleteFile, { id })
    }
    return { action: 'file.trash', revoke }
  },
}

test.each(Object.entries(revocations))('nothing is written after %s', { timeout: 600_000 }, async (_what, give) => {
  for (let round = 0; round < rounds(3, 30); round++) {
    const scene = await buildScene()
    const { action, revoke } = await give(scene)
    const acting = act(scene)
    for (let turn = 0; turn <= round % 4; turn++) await new Promise(resolve => setImmediate(resolve))
    await revoke()
    await acting
    expect(await eventsAfter(scene.editor.id, action)).toEqual([])
    expect(await findStranded()).toEqual([])
  }
  expect(await findMiscounts(server.deps.db)).toEqual([])
})
