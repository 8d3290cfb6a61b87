/** The way from a team folder to its trash, for those who may restore from there. */

import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Place } from '../../../src/api/items.ts'
import { abilitiesIn } from '../../../src/api/rights.ts'
import { spacesQuery } from '../../lib/data/spaces.ts'
import type { MenuAction } from '../../ui/menu-props.ts'

/** Null where there is no such trash. */
export function useTeamTrash(place: Place | null): MenuAction | null {
  const navigate = useNavigate()
  const { data } = useQuery({ ...spacesQuery, enabled: place?.kind === 'team' })
  const team = data?.find(({ folder_id }) => folder_id === place?.id)
  if (team === undefined || !abilitiesIn(team).change) return null
  const run = () => void navigate({ to: '/trash', search: { folder: team.folder_id } })
  return { label: `Trash of ${team.name}`, icon: IconTrash, run }
}
