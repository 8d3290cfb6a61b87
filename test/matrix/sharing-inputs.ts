/** The inputs of the calls about shares, links, team folders and groups. */
import { createGroup } from '../../src/api/groups.ts'
import { createLink } from '../../src/api/links.ts'
import { createShare } from '../../src/api/shares.ts'
import { createSpace } from '../../src/api/spaces.ts'
import { type BuildInput, change, nothing, theItem } from './build-input.ts'
import { unique } from './world.ts'

/** A share of an item of `of` with somebody else. */
const newShare: BuildInput = async ({ world, of }) => {
  const item = await world.newItem(of, 'folder', 'live')
  const { share } = await of.call(createShare, { item_id: item.id, user_id: (await world.guest()).id, level: 'view' })
  return { id: share.id }
}

/** A share of somebody else's item with `of`. */
const receivedShare: BuildInput = async ({ world, of }) => {
  const giver = await world.guest()
  const item = await world.newItem(giver, 'folder', 'live')
  return { id: (await giver.call(createShare, { item_id: item.id, user_id: of.id, level: 'view' })).share.id }
}

/** A link to an item of `of`. */
const newLink: BuildInput = async ({ world, of }) => {
  const item = await world.newItem(of, 'file', 'live')
  return { id: (await of.call(createLink, { item_id: item.id, level: 'view' })).link.id }
}

/** A team folder that `of` manages. */
const newSpace: BuildInput = async ({ world, of }) => {
  const input = { name: `team-${unique()}`, manager_ids: [of.id] }
  return { id: (await world.admin.client.call(createSpace, input)).space.id }
}

const newGroup: BuildInput = async ({ world }) => ({
  id: (await world.admin.client.call(createGroup, { name: `group-${unique()}` })).group.id,
})

export const sharingInputs: Record<string, BuildInput> = {
  listAccess: theItem,
  createShare: async ({ world, item }) => ({ item_id: item.id, user_id: (await world.guest()).id, level: 'view' }),
  updateShare: change(newShare, { level: 'edit' }),
  deleteShare: newShare,
  'deleteShare: received': receivedShare,
  hideShare: change(receivedShare, { hidden: true }),
  listReceived: nothing,
  listGiven: nothing,
  markSharesSeen: nothing,
  findPeople: () => ({ q: 'user' }),
  createLink: ({ item }) => ({ item_id: item.id, level: 'view' }),
  listLinks: nothing,
  'listLinks: of an item': ({ item }) => ({ item_id: item.id }),
  'listLinks: all': () => ({ all: 'true' }),
  updateLink: change(newLink, { label: 'New' }),
  deleteLink: newLink,
  listLinkEvents: newLink,
  getSharingSettings: nothing,
  updateSharingSettings: () => ({ people: true }),

  listSpaces: nothing,
  'listSpaces: all': () => ({ all: 'true' }),
  createSpace: () => ({ name: `team-${unique()}` }),
  updateSpace: change(newSpace, () => ({ name: `team-${unique()}` })),
  'updateSpace: quota': change(newSpace, { storage_quota: 1_000_000 }),
  deleteSpace: newSpace,

  listGroups: nothing,
  getGroup: newGroup,
  createGroup: () => ({ name: `group-${unique()}` }),
  updateGroup: change(newGroup, () => ({ name: `group-${unique()}` })),
  deleteGroup: newGroup,
  addGroupMember: change(newGroup, async ({ world }) => ({ user_id: (await world.guest()).id })),
  removeGroupMember: change(newGroup, async ({ world }) => ({ user_id: (await world.guest()).id })),
}
