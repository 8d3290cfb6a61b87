/** The metadata that uploads are asked for. */
import type { MetadataField } from '../api/metadata.ts'
import type { Database } from '../db/database.ts'
import { findSwitches } from '../settings/find.ts'
import { findEnabledFields } from './find.ts'
import { presentField } from './present.ts'

/** The enabled fields; none while metadata is turned off. */
export async function listUploadFields(db: Database): Promise<MetadataField[]> {
  const { metadata_enabled } = await findSwitches(db)
  return (metadata_enabled ? await findEnabledFields(db) : []).map(presentField)
}
