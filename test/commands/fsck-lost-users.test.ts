/** `filestore fsck --repair` where the row of a user is lost who owned a team's storage. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { updateSpace } from '../../src/api/spaces.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let ben: BuiltUser
let team: { id: number; folder_id: number }
beforeEach(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  team = await buildTeam(admin, ann)
  await buildFile(ann, { name: 'of the team.txt', parent_id: team.folder_id })
})
afterEach(() => server.close())

const loseAnn = () => spoilRows(server, `DELETE FROM users WHERE id = ${ann.id}`)
const readOwners = async (): Promise<number[]> =>
  [
    ...(await server.deps.db.rows<{ owner_id: number }>('SELECT owner_id FROM spaces WHERE id = $1', [team.id])),
    ...(await server.deps.db.rows<{ owner_id: number }>('SELECT owner_id FROM files WHERE space_id = $1', [team.id])),
  ].map(row => row.owner_id)

const told = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
  findings
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ problem, verdict, repaired, name }) => `${repaired ? 'repaired' : verdict} ${problem} ${name}`)

test('another manager becomes the owner of the team and of what the lost user owned there', async () => {
  await buildShare(ann, { id: team.folder_id }, ben, 'manage')
  await loseAnn()
  expect(told(await runFsck(server))).toContain(`repairable team-owner team space ${team.id}`)
  expect(told(await runFsck(server, '--repair'))).toContain(`repaired team-owner team space ${team.id}`)
  expect(await readOwners()).toEqual([ben.id, ben.id, ben.id])
  const after = await runFsck(server, '--repair')
  expect(after.code).toBe(11)
  // The user's own storage is lost with the user.
  expect(told(after)).toEqual([expect.stringMatching(/^lost space-owner /)])
})

test('a team without an owner and a folder gets no folder that nobody could own', async () => {
  await spoilRows(server, `DELETE FROM files WHERE space_id = ${team.id}`)
  await loseAnn()
  for (const options of [['--repair'], ['--repair', '--accept-lost']]) {
    const { code, findings } = await runFsck(server, ...options)
    expect([code, findings.filter(({ detail }) => detail.includes('the repair failed'))]).toEqual([11, []])
  }
})

test('without another manager it is lost, no repair fails, and who is appointed gets it', async () => {
  await loseAnn()
  for (const options of [[], ['--repair'], ['--repair']]) {
    const outcome = await runFsck(server, ...options)
    expect(outcome.code).toBe(11)
    expect(told(outcome)).toContain(`lost team-owner team space ${team.id}`)
    expect(told(outcome).filter(line => line.includes('owner-missing'))).toHaveLength(2)
    expect(outcome.findings.filter(({ detail }) => detail.includes('the repair failed'))).toEqual([])
  }
  expect(await readOwners()).toEqual([ann.id, ann.id, ann.id])
  await admin.call(updateSpace, { id: team.id, manager_ids: [ben.id] })
  await runFsck(server, '--repair')
  expect(await readOwners()).toEqual([ben.id, ben.id, ben.id])
  expect(told(await runFsck(server))).toEqual([expect.stringMatching(/^lost space-owner /)])
})
