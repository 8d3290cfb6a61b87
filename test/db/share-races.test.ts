/** Revocations beside writes: nothing is written by a share after its end was committed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyFile, createFolder, moveFile } from '../../src/api/files.ts'
import { removeGroupMember } from '../../src/api/groups.ts'
import { deleteShare, updateShare } from '../../src/api/shares.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildGroup, buildShare, buildUser } from '../support/factories.ts'
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

/** The events of a user in the owner's space that came after the last event of an action. */
async function eventsAfter(userId: number, action: string): Promise<string[]> {
  const { db } = server.deps
  const rows = await db.rows<{ action: string }>(
    `SELECT e.action FROM events e JOIN spaces s ON s.id = e.space_id AND s.owner_id = $1
     WHERE e.actor_id = $2 AND e.id > (SELECT MAX(r.id) FROM events r WHERE r.action = $3)`,
    [owner.id, userId, action],
  )
  return rows.map(row => row.action)
}

/** What an editor does in a shared folder; some of it is refused once the share has ended. */
async function act(editor: BuiltUser, rootId: number, own: readonly number[], inside: readonly number[]) {
  const acts = [
    ...own.map(id => editor.call(copyFile, { id, parent_id: rootId })),
    ...inside.slice(0, 3).map(id => editor.call(trashFile, { id })),
    ...inside.slice(3).map(id => editor.call(moveFile, { id, parent_id: rootId, name: `moved ${id}` })),
    ...own.map(id => editor.call(createFolder, { name: `made ${id}`, parent_id: rootId })),
    ...own.map(id => editor.upload('small', { name: `small ${id}`, parent_id: rootId })),
    editor.upload(Buffer.alloc(100_000), { name: 'large', parent_id: rootId }),
  ]
  const outcomes = await Promise.allSettled(acts)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect([403, 404]).toContain(outcome.reason.status)
  }
}

const revocations = {
  'the end of a share': async (editor: BuiltUser, root: { id: number }) => {
    const { id } = await buildShare(owner, root, editor, 'edit')
    return { action: 'share.delete', revoke: () => owner.call(deleteShare, { id }) }
  },
  'a lower level': async (editor: BuiltUser, root: { id: number }) => {
    const { id } = await buildShare(owner, root, editor, 'edit')
    return { action: 'share.update', revoke: () => owner.call(updateShare, { id, level: 'view' }) }
  },
  'leaving a group': async (editor: BuiltUser, root: { id: number }) => {
    const group = await buildGroup(admin, [editor])
    await buildShare(owner, root, { group_id: group.id }, 'edit')
    const input = { id: group.id, user_id: editor.id }
    return { action: 'group.update', revoke: () => admin.call(removeGroupMember, input) }
  },
}

test.each(Object.entries(revocations))('nothing is written after %s', { timeout: 120_000 }, async (_what, give) => {
  for (let round = 0; round < 4; round++) {
    const editor = await buildUser(server)
    const root = await buildFolder(owner)
    const [own, inside]: [number[], number[]] = [[], []]
    for (let n = 0; n < 6; n++) {
      own.push((await buildFile(editor)).id)
      inside.push((await buildFile(owner, { parent_id: root.id })).id)
    }
    const { action, revoke } = await give(editor, root)
    const acting = act(editor, root.id, own, inside)
    await new Promise(resolve => setImmediate(resolve))
    await revoke()
    await acting
    expect(await eventsAfter(editor.id, action)).toEqual([])
  }
})
