/** What the maker of a misfiled share or link tells about it: whether its item or its space is the wrong value. */

/**
 * A condition on a user and a space: the user owns it, or manages its team folder. Only a share that is filed in the
 * space makes a manager, so a misfiled one does not confirm itself.
 */
const mayShareIn = (
  user: string,
  space: string,
): string => `EXISTS (SELECT 1 FROM spaces place WHERE place.id = ${space}
  AND (place.owner_id = ${user} OR place.kind = 'team' AND EXISTS (
    SELECT 1 FROM files top JOIN shares managing ON managing.item_id = top.id AND managing.space_id = place.id
    WHERE top.space_id = place.id AND top.live_parent = 0 AND managing.level = 'manage' AND (managing.user_id = ${user}
      OR managing.group_id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ${user})))))`

/**
 * A condition on a misfiled row and its item `f`: the maker may share in the item's space, and not in that of the row,
 * so the row's space is wrong. Otherwise the item may be wrong, and the maker might never have shared it.
 */
export const isMadeForItem = (row: string): string =>
  `(${mayShareIn(`${row}.created_by`, 'f.space_id')} AND NOT ${mayShareIn(`${row}.created_by`, `${row}.space_id`)})`
