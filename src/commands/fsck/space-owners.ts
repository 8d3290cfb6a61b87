/** Checks that each personal space is its owner's. Files in it may belong to others who added them. */
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { type Claim, findClaim, findSuspects } from './space-claims.ts'
import { type PersonalSpace, personalSpaces } from './space-evidence.ts'

function detailOf({ space, claimant: { username }, mend, other }: Claim): string {
  if (space.username === null) {
    return `its owner is missing, and ${mend === null ? 'nobody knows whose it is' : `it is that of '${username}'`}`
  }
  if (mend === 'give') return `its items are of '${username}', who has no storage`
  if (mend === null) return `its items are of '${username}', and nobody knows whose it is`
  return `its owner and that of space ${other?.id} are exchanged: the items in each are of the owner of the other`
}

async function changeOwner(db: Database, record: Recorder, id: number, userId: number): Promise<void> {
  await db.update(db.spaces, { owner_id: userId }, id)
  record('space.repair', { id, spaceId: id }, { columns: ['owner_id'] })
}

const mendClaim = (db: Database, { space, mend, other }: Claim): Promise<boolean> =>
  db.write(systemActor, async record => {
    record.nothing()
    const exchanged = mend === 'exchange' ? other : undefined
    const ids = [space.id, ...(exchanged === undefined ? [] : [exchanged.id])]
    for (const id of ids.sort((a, b) => a - b)) await lockSpace(db, id)
    const current = await findClaim(db, space.id)
    if (current?.mend !== mend || current.other?.id !== other?.id) return false
    await changeOwner(db, record, space.id, current.claimant.id)
    if (exchanged !== undefined) await changeOwner(db, record, exchanged.id, current.space.owner_id)
    return true
  })

const nameOf = ({ id, username }: PersonalSpace): string =>
  username === null ? `space ${id}` : `space ${id} of '${username}'`

/** A space without an owner whose items do not say whose it is. */
async function reportOwnerless({ deps: { db }, disputed, report }: Check, id: number): Promise<void> {
  const space = await db.row<PersonalSpace>(`${personalSpaces} AND s.id = $1 AND o.id IS NULL`, [id])
  if (space === undefined) return
  disputed.add(id)
  const detail = 'its owner is missing, and nobody knows whose it is'
  await report({ verdict: 'lost', problem: 'space-owner', name: nameOf(space), detail, space_id: id })
}

async function reportClaim({ deps: { db }, disputed, report }: Check, claim: Claim): Promise<void> {
  const { space, mend, other } = claim
  // An exchange is one finding.
  if (mend === 'exchange' && other !== undefined && disputed.has(other.id)) return
  const ids = [space.id, ...(other === undefined ? [] : [other.id])]
  for (const id of ids) disputed.add(id)
  const finding = {
    verdict: mend === null ? 'lost' : 'repairable',
    problem: 'space-owner',
    name: nameOf(space),
    detail: detailOf(claim),
    space_id: space.id,
  } as const
  const repair = async () => {
    const isMended = await mendClaim(db, claim)
    for (const id of ids) disputed.delete(id)
    return isMended
  }
  await report(finding, mend === null ? undefined : repair)
}

/** Call it before users get spaces, or spaces are joined: both would hide whose a space is. */
export async function checkSpaceOwners(check: Check): Promise<void> {
  const { db } = check.deps
  const ofUnclearKind = new Set(check.disputed)
  for (const { id } of await findSuspects(db)) {
    check.signal.throwIfAborted()
    if (ofUnclearKind.has(id)) continue
    const claim = await findClaim(db, id)
    if (claim === undefined) await reportOwnerless(check, id)
    else await reportClaim(check, claim)
  }
}
