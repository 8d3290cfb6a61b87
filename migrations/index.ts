/** All migrations in order. Add new ones at the end; a released migration must never change. */
import { permissions } from './0001-permissions.ts'
import { roles } from './0002-roles.ts'
import { rolePermissions } from './0003-role-permissions.ts'
import { users } from './0004-users.ts'
import { spaces } from './0005-spaces.ts'
import { sessions } from './0006-sessions.ts'
import { apiKeys } from './0007-api-keys.ts'
import { blobs } from './0008-blobs.ts'
import { blobBytes } from './0009-blob-bytes.ts'
import { files } from './0010-files.ts'
import { events } from './0011-events.ts'
import { systemRoles } from './0012-system-roles.ts'
import { tags } from './0013-tags.ts'
import { fileTags } from './0014-file-tags.ts'
import { metadataFields } from './0015-metadata-fields.ts'
import { fileMetadata } from './0016-file-metadata.ts'
import { settings } from './0017-settings.ts'
import { defaultSettings } from './0018-default-settings.ts'
import { thumbnails } from './0019-thumbnails.ts'
import { leases } from './0020-leases.ts'
import { serverState } from './0021-server-state.ts'
import { apiKeyLimits } from './0022-api-key-limits.ts'
import { fileLists } from './0023-file-lists.ts'
import { eventLists } from './0024-event-lists.ts'
import { fileSearch } from './0025-file-search.ts'
import { fileKinds } from './0026-file-kinds.ts'
import { folderCounts } from './0027-folder-counts.ts'
import { typeCounts } from './0028-type-counts.ts'
import { countAdded } from './0029-count-added.ts'
import { countDeleted } from './0030-count-deleted.ts'
import { countChanged } from './0031-count-changed.ts'
import { sharedCounts } from './0032-shared-counts.ts'
import { countAddedLive } from './0033-count-added-live.ts'
import { countDeletedLive } from './0034-count-deleted-live.ts'
import { countChangedLive } from './0035-count-changed-live.ts'
import { trashRoots } from './0036-trash-roots.ts'
import { favoritesIndex } from './0037-favorites.ts'
import { filesBySizeAndType } from './0038-files-by-size-and-type.ts'
import { validatedBy } from './0039-validated-by.ts'
import { eventDetails } from './0040-event-details.ts'
import { apiKeyMakers } from './0041-api-key-makers.ts'
import { spaceThumbnails } from './0042-space-thumbnails.ts'
import { dropThumbnails } from './0043-drop-thumbnails.ts'
import { usernameSkeletons } from './0044-username-skeletons.ts'
import { pendingById } from './0045-pending-by-id.ts'
import { searchBySpace } from './0046-search-by-space.ts'
import { thumbnailsByAge } from './0047-thumbnails-by-age.ts'
import { favoritesByName } from './0048-favorites-by-name.ts'
import { preferences } from './0049-preferences.ts'
import { shortSearches } from './0050-short-searches.ts'
import { sharingPermissions } from './0060-sharing-permissions.ts'
import { teamSpaces } from './0061-team-spaces.ts'
import { userGroups } from './0062-user-groups.ts'
import { groupMembers } from './0063-group-members.ts'
import { everyone } from './0064-everyone.ts'
import { shares } from './0065-shares.ts'
import { shareHides } from './0066-share-hides.ts'
import { favoritesOfOthers } from './0067-favorites-of-others.ts'
import { receivedFiles } from './0068-received-files.ts'
import { apiKeyScopes } from './0069-api-key-scopes.ts'
import { sharesSeen } from './0070-shares-seen.ts'
import { sharingSettings } from './0071-sharing-settings.ts'
import { eventsByAction } from './0072-events-by-action.ts'
import { filesByContent } from './0078-files-by-content.ts'
import { links } from './0079-links.ts'
import { linkVisits } from './0080-link-visits.ts'
import { linkPermission } from './0081-link-permission.ts'
import { linkSettings } from './0082-link-settings.ts'
import { eventsOfLinks } from './0083-events-of-links.ts'
import { eventRevisions } from './0084-event-revisions.ts'
import { uploads } from './0085-uploads.ts'
import { reservedStorage } from './0086-reserved-storage.ts'
import { nodes } from './0087-nodes.ts'
import { leasesOfNodes } from './0088-leases-of-nodes.ts'
import { uploadsOfLinks } from './0089-uploads-of-links.ts'
import { thumbnailBytes } from './0090-thumbnail-bytes.ts'
import { spaceTurns } from './0091-space-turns.ts'
import { roleTurns } from './0092-role-turns.ts'
import { linkTurns } from './0093-link-turns.ts'
import { memberTimes } from './0094-member-times.ts'
import { transferFolders } from './0095-transfer-folders.ts'
import { linkVisitRounds } from './0096-link-visit-rounds.ts'
import { visitRounds } from './0097-visit-rounds.ts'
import { fileThumbnails } from './0098-file-thumbnails.ts'
import { dropSpaceThumbnails } from './0099-drop-space-thumbnails.ts'
import { spacesInTransfer } from './0100-spaces-in-transfer.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  permissions,
  roles,
  rolePermissions,
  users,
  spaces,
  sessions,
  apiKeys,
  blobs,
  blobBytes,
  files,
  events,
  systemRoles,
  tags,
  fileTags,
  metadataFields,
  fileMetadata,
  settings,
  defaultSettings,
  thumbnails,
  leases,
  serverState,
  apiKeyLimits,
  fileLists,
  eventLists,
  fileSearch,
  fileKinds,
  folderCounts,
  typeCounts,
  countAdded,
  countDeleted,
  countChanged,
  sharedCounts,
  countAddedLive,
  countDeletedLive,
  countChangedLive,
  trashRoots,
  favoritesIndex,
  filesBySizeAndType,
  validatedBy,
  eventDetails,
  apiKeyMakers,
  spaceThumbnails,
  dropThumbnails,
  usernameSkeletons,
  pendingById,
  searchBySpace,
  thumbnailsByAge,
  favoritesByName,
  preferences,
  shortSearches,
  sharingPermissions,
  teamSpaces,
  userGroups,
  groupMembers,
  everyone,
  shares,
  shareHides,
  favoritesOfOthers,
  receivedFiles,
  apiKeyScopes,
  sharesSeen,
  sharingSettings,
  eventsByAction,
  filesByContent,
  links,
  linkVisits,
  linkPermission,
  linkSettings,
  eventsOfLinks,
  eventRevisions,
  uploads,
  reservedStorage,
  nodes,
  leasesOfNodes,
  uploadsOfLinks,
  thumbnailBytes,
  spaceTurns,
  roleTurns,
  linkTurns,
  memberTimes,
  transferFolders,
  linkVisitRounds,
  visitRounds,
  fileThumbnails,
  dropSpaceThumbnails,
  spacesInTransfer,
]
