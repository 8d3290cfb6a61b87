/** The metadata fields of files, and a file's own values. */
import { queryOptions } from '@tanstack/react-query'
import { getFile, setFileMetadata } from '../../../src/api/files.ts'
import type { FileDetails } from '../../../src/api/items.ts'
import { listUploadFields, type MetadataField } from '../../../src/api/metadata.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'
import { refreshItems } from './folders.ts'

const fieldsKey = 'upload-fields'

/** The enabled fields for a file of a type, in form order. Another type's fields are shown until these are loaded. */
export const uploadFieldsQuery = (mimeType: string | null) =>
  queryOptions({
    queryKey: [fieldsKey, mimeType],
    queryFn: () => call(listUploadFields, { mime_type: mimeType ?? undefined }),
    staleTime: 60_000,
    placeholderData: () => queryClient.getQueriesData<MetadataField[]>({ queryKey: [fieldsKey] })[0]?.[1],
  })

/** One item, with what lists leave out. */
export const itemQuery = (id: number) =>
  queryOptions({ queryKey: ['item', id], queryFn: async () => (await call(getFile, { id })).file })

/** Sets a file's values; an empty one removes its field's value. Returns the updated file. */
export async function saveMetadata(id: number, metadata: MetadataValue[]): Promise<FileDetails> {
  const { file } = await call(setFileMetadata, { id, metadata })
  queryClient.setQueryData(itemQuery(id).queryKey, file)
  void refreshItems()
  return file
}
