/** Chooses whose trash is shown: the own one, or that of a team folder. */

import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { abilitiesIn } from '../../../src/api/rights.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { spacesQuery } from '../../lib/data/spaces.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './trash-screen.module.css'

const none: readonly Space[] = []

/** The team folders whose trash the user may see. */
export function useTrashTeams(): readonly Space[] {
  const { data = none } = useQuery(spacesQuery)
  return data.filter(space => abilitiesIn(space).change)
}

export function TrashChoice({ teams, folderId }: { teams: readonly Space[]; folderId: number | null }) {
  const navigate = useNavigate()
  const choices = [
    { value: '', label: 'My files' },
    ...teams.map(({ folder_id, name }) => ({ value: String(folder_id), label: name })),
  ]
  // An address may name a team folder that is not the user's any more.
  const isKnown = folderId === null || teams.some(({ folder_id }) => folder_id === folderId)
  if (!isKnown) choices.push({ value: String(folderId), label: 'Unknown' })
  return (
    <NativeSelect
      aria-label="Trash of"
      size={usePhone() ? 'lg' : 'sm'}
      className={styles.choice}
      data={choices}
      value={folderId === null ? '' : String(folderId)}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/trash', search: { folder: Number(currentTarget.value) || undefined } })
      }
    />
  )
}
