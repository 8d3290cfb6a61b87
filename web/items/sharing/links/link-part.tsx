/** The links of an item in the Share dialog: makes them, lists them, or says why there can be none. */
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../../src/api/client.ts'
import { isTeamFolder, type Sharable } from '../../../../src/api/share-words.ts'
import type { SharingSettings } from '../../../../src/api/sharing-settings.ts'
import { itemLinksQuery } from '../../../lib/data/links.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { reasonOf } from '../../../lib/server/call.ts'
import { useMay } from '../../../lib/server/permissions.ts'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import dialog from '../share-dialog.module.css'
import { WaitingRows } from '../waiting-rows.tsx'
import { CreateLink } from './create-link.tsx'
import { LinkList } from './link-list.tsx'
import { TeamLinks } from './team-links.tsx'

interface LinkPartProps {
  item: Sharable
  /** Whether the dialog offers nothing else. */
  isAlone: boolean
}

export function LinkPart(props: LinkPartProps) {
  const rules = useAuth(({ user }) => user?.sharing)
  const mayLink = useMay('files:link')
  return (
    <section className={dialog.part} aria-label="Links">
      <h3 className={dialog.heading}>Links</h3>
      {isTeamFolder(props.item) ? (
        <TeamLinks folderId={props.item.id} />
      ) : !mayLink ? (
        <p className={dialog.off}>Your role does not let you make links.</p>
      ) : (
        rules && <Links {...props} rules={rules} />
      )}
    </section>
  )
}

function Links({ item, isAlone, rules }: LinkPartProps & { rules: SharingSettings }) {
  const { data, error, isPending, refetch } = useQuery(itemLinksQuery(item.id))
  const isWaiting = useDelayed(isPending, 150)
  if (error instanceof ApiError && error.status === 403) {
    return <p className={dialog.off}>Only those who manage this place make links here.</p>
  }
  return (
    <>
      {rules.links ? (
        <CreateLink item={item} links={data ?? []} rules={rules} isAlone={isAlone} />
      ) : (
        <p className={dialog.off}>Links are turned off on this server.</p>
      )}
      {error && !data && (
        <ErrorBox title="Failed to load the links" reason={reasonOf(error)} onRetry={() => void refetch()} />
      )}
      {isWaiting && <WaitingRows />}
      {data && <LinkList item={item} links={data} rules={rules} />}
    </>
  )
}
