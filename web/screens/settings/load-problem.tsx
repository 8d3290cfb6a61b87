/** The error strip for a list that failed to load; Dismiss hides it until the next failure. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/server/call.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'

interface LoadProblemProps {
  query: Pick<UseQueryResult, 'error' | 'errorUpdateCount' | 'refetch'>
  title: string
}

export function LoadProblem({ query: { error, errorUpdateCount, refetch }, title }: LoadProblemProps) {
  const [dismissed, setDismissed] = useState(0)
  if (error === null || errorUpdateCount <= dismissed) return null
  return (
    <ErrorStrip
      title={title}
      reason={reasonOf(error)}
      onRetry={() => void refetch()}
      onDismiss={() => setDismissed(errorUpdateCount)}
    />
  )
}
