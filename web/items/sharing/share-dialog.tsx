/** The Share dialog: gives people and groups access to an item, makes links to it, and lists who has access and why. */

import { useQuery } from '@tanstack/react-query'
import { isTeamFolder } from '../../../src/api/share-words.ts'
import { accessQuery } from '../../lib/data/shares.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { shortName } from '../../lib/words/short-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useLast } from '../../ui/use-last.ts'
import { AccessList } from './access-list.tsx'
import { GiveForm } from './give-form.tsx'
import { LinkPart } from './links/link-part.tsx'
import styles from './share-dialog.module.css'
import { closeShareDialog, type SharedItem, useSharing } from './share-dialog-state.ts'

export function ShareDialog() {
  const { item } = useSharing()
  const shown = useLast(item)
  if (shown === null) return null
  const name = shortName(shown.name, shown.is_directory)
  return (
    <Dialog
      opened={item !== null}
      onClose={closeShareDialog}
      title={isTeamFolder(shown) ? `Members of ${name}` : `Share ${name}`}
      size={600}
    >
      <Sharing item={shown} />
    </Dialog>
  )
}

/** Who may give no access to people has come for the links, which have rules of their own. */
function Sharing({ item }: { item: SharedItem }) {
  const mayShare = useMay('files:share') && (item.may?.share ?? true)
  return mayShare ? <WithPeople item={item} /> : <LinkPart item={item} isAlone />
}

function WithPeople({ item }: { item: SharedItem }) {
  const access = useQuery(accessQuery(item.id))
  // A team folder's members are no matter of the switch: it is about what is in the users' own files.
  const isOn = useAuth(({ user }) => user?.sharing.people === true) || item.place !== null
  return (
    <>
      <section className={styles.part} aria-label="People">
        {isOn ? (
          <GiveForm item={item} access={access.data} />
        ) : (
          <p className={styles.off}>Sharing with people is turned off on this server.</p>
        )}
      </section>
      <LinkPart item={item} isAlone={false} />
      <AccessList item={item} query={access} />
    </>
  )
}
