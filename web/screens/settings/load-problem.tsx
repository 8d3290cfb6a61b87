/** The strip for a list that could not be loaded; gone by Dismiss until it fails again. */
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
