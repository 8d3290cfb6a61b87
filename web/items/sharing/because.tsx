/** The folder above, because of which somebody has access. */
import { Link } from '@tanstack/react-router'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { folderRoute } from '../show-in-folder.ts'
import { closeShareDialog } from './share-dialog-state.ts'

export const Because = ({ because: { id, name } }: Pick<AccessEntry, 'because'>) => (
  <span>
    because of the folder{' '}
    <Link {...folderRoute(id)} dir="auto" onClick={closeShareDialog}>
      {name}
    </Link>
  </span>
)
