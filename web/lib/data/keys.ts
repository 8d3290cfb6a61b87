/** The user's API keys: the list, changes to keys, and the secrets created during this visit. */
import { queryOptions } from '@tanstack/react-query'
import { create } from 'zustand'
import type { InputOf } from '../../../src/api/endpoint.ts'
import {
  type ApiKey,
  type CreatedApiKey,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  listKeyPermissions,
  updateApiKey,
} from '../../../src/api/keys.ts'
import { useAuth } from '../server/auth-store.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => call(listApiKeys, {}),
  select: ({ api_keys }) => api_keys,
})

/** The folders that keys are for, as far as the user sees them; null if the user may not read files. */
export const keyFoldersQuery = queryOptions({ ...keysQuery, select: ({ folders }) => folders })

/** The permissions that a new key can have. */
export const keyPermissionsQuery = queryOptions({
  queryKey: ['key-permissions'],
  queryFn: () => call(listKeyPermissions, {}),
})

/** Keys whose secret is still on screen, newest first. Kept in memory only: a secret must not be stored anywhere. */
export const useNewKeys = create<{ keys: readonly CreatedApiKey[] }>(() => ({ keys: [] }))

useAuth.subscribe(({ user }) => {
  if (user === null) useNewKeys.setState({ keys: [] })
})

export function dismissNewKey(id: number): void {
  useNewKeys.setState(({ keys }) => ({ keys: keys.filter(key => key.id !== id) }))
}

const refreshKeys = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey })

export async function makeKey(input: InputOf<typeof createApiKey>): Promise<void> {
  const key = await call(createApiKey, input)
  useNewKeys.setState(({ keys }) => ({ keys: [key, ...keys] }))
  await refreshKeys()
}

/** Renames, disables or enables a key: an optimistic update, rolled back when the server refuses. */
export async function changeKey(id: number, change: Partial<Pick<ApiKey, 'name' | 'is_active'>>): Promise<void> {
  await queryClient.cancelQueries({ queryKey: keysQuery.queryKey })
  const before = queryClient.getQueryData(keysQuery.queryKey)
  queryClient.setQueryData(
    keysQuery.queryKey,
    known => known && { ...known, api_keys: known.api_keys.map(key => (key.id === id ? { ...key, ...change } : key)) },
  )
  try {
    await call(updateApiKey, { id, ...change })
  } catch (error) {
    queryClient.setQueryData(keysQuery.queryKey, before)
    throw error
  } finally {
    void refreshKeys()
  }
}

export async function removeKey(id: number): Promise<void> {
  await call(deleteApiKey, { id })
  dismissNewKey(id)
  await refreshKeys()
}
