/** Which files the user may not decide on because they are the user's own. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import { settingsQuery } from '../../lib/data/settings.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { useMay } from '../../lib/server/permissions.ts'

type Owned = { owner_id: number }

/** A user who may not read the settings learns it from the server's first refusal. */
export function useOwnFiles() {
  const userId = useAuth(({ user }) => user?.id)
  const { data } = useQuery({ ...settingsQuery, enabled: useMay('settings:manage') })
  const [wasRefused, setRefused] = useState(false)
  const isKnown = data?.some(({ key, value }) => key === 'allow_self_validation' && value === 'false') === true
  const isOwn = (file: Owned) => file.owner_id === userId
  return {
    isForbidden: (file: Owned) => isOwn(file) && (isKnown || wasRefused),
    /** Takes note of a decision's failure. */
    noteFailure: (file: Owned, error: unknown) => {
      if (isOwn(file) && error instanceof ApiError && error.code === 'forbidden') setRefused(true)
    },
    noteRefusal: () => setRefused(true),
  }
}
