/** The metadata fields for a file. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { MetadataField } from '../../../src/api/metadata.ts'
import { uploadFieldsQuery } from '../../lib/data/metadata.ts'
import { logFailure } from '../../lib/server/log-failure.ts'
import { useMay } from '../../lib/server/permissions.ts'

const none: readonly MetadataField[] = []

/** Undefined while loading; empty for a folder, for a user without the permission, and after an error. */
export function useUploadFields(item: FileItem): readonly MetadataField[] | undefined {
  const isAsked = useMay('files:upload') && !item.is_directory
  const { data, error } = useQuery({ ...uploadFieldsQuery(item.mime_type), enabled: isAsked })
  useEffect(() => {
    if (error) logFailure('Failed to load metadata fields', error)
  }, [error])
  return isAsked && !error ? data : none
}
