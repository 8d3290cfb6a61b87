/** Fills the spaces of the demo's accounts, and shares between them: a team folder of both, a folder each way, a link. */
import type { Actor } from '../../access/actor.ts'
import type { Deps } from '../../deps.ts'
import { createLink } from '../../links/make.ts'
import { createShare } from '../../shares/give.ts'
import { findTeam } from '../../spaces/find.ts'
import { createSpace } from '../../spaces/spaces.ts'
import { actAs, addSamples, fillSpace } from './fill-space.ts'
import { memberSamples, relaunch, team, teamSamples } from './samples.ts'

/** Fills what the accounts `admin` and `jana` see. */
export async function fillAndShare(deps: Deps): Promise<void> {
  const [admin, jana] = [await actAs(deps, 'admin'), await actAs(deps, 'jana')]
  const [ofAdmin, ofJana] = [await fillSpace(deps, admin), await fillSpace(deps, jana)]
  await createShare(deps.db, admin, { item_id: ofAdmin.get(relaunch) ?? 0, user_id: jana.userId, level: 'edit' })
  await createShare(deps.db, jana, { item_id: ofJana.get('Photos') ?? 0, user_id: admin.userId, level: 'view' })
  await createLink(deps, jana, { item_id: ofJana.get('Photos') ?? 0, level: 'view', label: 'Holiday photos' })
  await fillTeam(deps, admin, jana)
}

/** Makes a team folder that one account manages, and in which the other may edit. */
async function fillTeam(deps: Deps, manager: Actor, member: Actor): Promise<void> {
  const id = await createSpace(deps.db, manager, { name: team })
  const { folder_id } = await findTeam(deps.db, id)
  await createShare(deps.db, manager, { item_id: folder_id, user_id: member.userId, level: 'edit' })
  const ids = new Map([[team, folder_id]])
  await addSamples(deps, manager, teamSamples, ids)
  await addSamples(deps, member, memberSamples, ids)
}
