/** Checks that each team space has one live item at its top, the team folder, and that it is a folder. */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { isOneOf } from '../../db/values.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findFreeName } from '../../files/free-name.ts'
import { nameColumns } from '../../files/item-name.ts'
import { addToCounters } from '../../files/space.ts'
import { findManagerIds } from '../../spaces/managers.ts'
import type { Check } from './finding.ts'
import { nameItem } from './names.ts'
import { findExcess } from './place-evidence.ts'

interface Team {
  id: number
  owner_id: number
}

interface TopRow {
  id: number
  name: string
  is_directory: 0 | 1
}

export const findTop = (db: Database, spaceId: number): Promise<TopRow[]> =>
  db.rows<TopRow>('SELECT id, name, is_directory FROM files WHERE space_id = $1 AND live_parent = 0 ORDER BY id', [
    spaceId,
  ])

/** Whether nothing but the team folder is at the top. */
export const hasTeamFolder = (top: readonly TopRow[]): boolean => top.length === 1 && top[0]?.is_directory === 1

/** A folder that nobody shares yet: whoever manages team folders appoints managers. */
async function addRoot(db: Database, { id, owner_id }: Team, record: Recorder): Promise<number> {
  const now = Date.now()
  const name = await findFreeName(db, id, null, `Team folder ${id}`, true)
  const rootId = await db.insert(db.files, {
    space_id: id,
    owner_id,
    parent_id: null,
    ...nameColumns(name, true),
    is_directory: 1,
    size: 0,
    modified_at: null,
    created_at: now,
    updated_at: now,
  })
  await addToCounters(db, id, 0, 1)
  record('folder.create', { id: rootId, spaceId: id }, { name, parent_id: null })
  return rootId
}

/** Of what is at the top, the folder that the team's managers manage, or its other members share; else the oldest one. */
export async function findTeamFolder(db: Database, id: number, top: readonly TopRow[]): Promise<number | undefined> {
  const folders = top.filter(item => item.is_directory === 1)
  const shared = await db.rows<{ item_id: number }>(
    `SELECT item_id FROM shares WHERE space_id = $1 ORDER BY CASE WHEN level = 'manage' THEN 0 ELSE 1 END, id`,
    [id],
  )
  const found = shared.find(({ item_id }) => folders.some(folder => folder.id === item_id))
  return found?.item_id ?? folders[0]?.id
}

/** Moves all other items at the top into the team folder. */
async function joinTop(db: Database, team: Team, top: readonly TopRow[], record: Recorder): Promise<void> {
  const rootId = (await findTeamFolder(db, team.id, top)) ?? (await addRoot(db, team, record))
  for (const { id, name, is_directory } of top.filter(item => item.id !== rootId)) {
    const free = await findFreeName(db, team.id, rootId, name, is_directory === 1)
    await db.update(db.files, { parent_id: rootId, ...nameColumns(free, is_directory === 1) }, id)
    record('file.move', { id, spaceId: team.id }, { from: null, to: rootId })
  }
}

/**
 * Whether something at the top may be another storage's: it is more than the team's storage counts. The team would get it
 * with the team folder.
 */
async function mayBeForeign(db: Database, { id }: Team, top: readonly TopRow[]): Promise<boolean> {
  return top.length > 1 && ((await findExcess(db, id))?.items ?? 0) > 0
}

async function reportTeam({ deps: { db }, report, unsettled }: Check, team: Team): Promise<void> {
  const detail = 'it has not exactly one folder at its top'
  const finding = { problem: 'team-root', name: `team space ${team.id}`, space_id: team.id } as const
  if (await mayBeForeign(db, team, await findTop(db, team.id))) {
    unsettled.add(team.id)
    await report({ ...finding, verdict: 'lost', detail: `${detail}, and what is there may be another storage's` })
    return
  }
  await report({ ...finding, verdict: 'repairable', detail }, () =>
    db.write(systemActor, async record => {
      record.nothing()
      await lockSpace(db, team.id)
      const isThere = (await db.row('SELECT id FROM spaces WHERE id = $1', [team.id])) !== undefined
      const top = await findTop(db, team.id)
      if (!isThere || hasTeamFolder(top) || (await mayBeForeign(db, team, top))) return false
      await joinTop(db, team, top, record)
      return true
    }),
  )
}

const hasOwner = async (db: Database, { owner_id }: Team): Promise<boolean> =>
  (await db.rows(`SELECT id FROM users WHERE ${isOneOf('id', [owner_id])}`, [owner_id])).length > 0

export async function checkTeams(check: Check): Promise<void> {
  const { db } = check.deps
  for (const team of await db.rows<Team>("SELECT id, owner_id FROM spaces WHERE kind = 'team' ORDER BY id")) {
    check.signal.throwIfAborted()
    // It may be a user's own.
    if (check.disputed.has(team.id)) continue
    const top = await findTop(db, team.id)
    // Without an owner, nobody could own a new folder.
    const isOwned = top.some(item => item.is_directory === 1) || (await hasOwner(db, team))
    if (!hasTeamFolder(top) && isOwned) await reportTeam(check, team)
  }
}

/**
 * Notes each team folder that no active user manages without an end. It is no damage: a disabled user may have been its
 * last manager, and whoever manages team folders can appoint another.
 */
export async function noteUnmanagedTeams({ deps: { db }, disputed, report, signal }: Check): Promise<void> {
  for (const team of await db.rows<Team>("SELECT id, owner_id FROM spaces WHERE kind = 'team' ORDER BY id")) {
    signal.throwIfAborted()
    const [root, ...others] = await findTop(db, team.id)
    if (
      root === undefined ||
      others.length > 0 ||
      disputed.has(team.id) ||
      (await findManagerIds(db, root.id)).length > 0
    )
      continue
    const name = await nameItem(db, root.id)
    const detail = 'nobody manages it, or only for a time'
    await report({ verdict: 'ok', problem: 'team-unmanaged', name, detail, file_id: root.id, space_id: team.id })
  }
}
