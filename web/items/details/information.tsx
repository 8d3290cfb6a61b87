/** The facts of an item: path, times, checksum, the contents of a folder, and the approval status. */
import { useQuery } from '@tanstack/react-query'
import { type FolderSize, getFolderSize, listFiles } from '../../../src/api/files.ts'
import { pathOf } from '../../../src/api/item-address.ts'
import type { FileDetails, FileItem } from '../../../src/api/items.ts'
import { isPlaceRoot } from '../../../src/api/places.ts'
import { isReviewed } from '../../../src/api/rights.ts'
import { copyText } from '../../lib/local/copy-text.ts'
import { call } from '../../lib/server/call.ts'
import { useMay, useOwns } from '../../lib/server/permissions.ts'
import { formatDate, formatDay, formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { addressOf } from '../actions/copy-address.ts'
import { fileCount, folderAndFileCount } from '../counts.ts'
import { locationOf } from '../place.ts'
import { PlaceLink } from '../place-link.tsx'
import { SharedWith } from '../sharing/shared-with.tsx'
import { StatusBadge } from '../status-badge.tsx'
import styles from './information.module.css'
import { Fact, Facts, Section } from './section.tsx'

interface InformationProps {
  item: FileItem
  /** Undefined while loading. */
  details: FileDetails | undefined
  /** Whether loading failed. */
  hasFailed: boolean
}

export function Information({ item, details, hasFailed }: InformationProps) {
  const isOwn = useOwns(item)
  const location = locationOf(item)
  const hasFolder = !isReviewed(item) && !isPlaceRoot(item)
  const mayShare = useMay('files:share')
  return (
    <Section title="Information">
      <Facts>
        {item.validation_status !== 'approved' && (
          <Fact label="Status">
            <StatusBadge item={item} reason="beside" />
            {item.validation_comment && <p className={styles.comment}>{item.validation_comment}</p>}
          </Fact>
        )}
        <Fact label="Path">
          {hasFolder ? <PlaceLink item={item}>{location}</PlaceLink> : <span dir="auto">{location}</span>}
        </Fact>
        {!isOwn && <Fact label="Owner">{item.owner_name}</Fact>}
        <Fact label="Address" hint={addressOf(item)}>
          <span className={styles.copied}>
            <span className={styles.mono}>/{pathOf(item)}</span>
            <CopyButton label="Copy address" onCopy={() => copyText(addressOf(item))} />
          </span>
        </Fact>
        {item.is_directory && <Holds folder={item} />}
        {item.is_directory && <Size folder={item} />}
        {details?.may.share && mayShare && <SharedWith item={item} />}
        <Fact label="Changed" hint={formatFullDate(item.updated_at)}>
          {formatDate(item.updated_at)}
        </Fact>
        {item.modified_at !== null && (
          <Fact label="File date" hint={formatFullDate(item.modified_at)}>
            {formatFullDate(item.modified_at)}
          </Fact>
        )}
        <Fact label="Added" hint={formatFullDate(item.created_at)}>
          {formatDay(item.created_at)}
          {isOwn && ' by you'}
        </Fact>
        {!item.is_directory && !hasFailed && <Checksum value={details?.sha256 ?? undefined} />}
      </Facts>
    </Section>
  )
}

/** The direct contents of a folder. */
function Holds({ folder }: { folder: FileItem }) {
  const { data, isError } = useQuery({
    queryKey: ['item', folder.id, 'holds'],
    queryFn: () => call(listFiles, { parent_id: folder.id, limit: 1 }),
  })
  if (isError) return null
  return <Fact label="Holds">{data && folderAndFileCount(data.total_folders, data.total - data.total_folders)}</Fact>
}

/** All that is in a folder, on every level. */
function Size({ folder }: { folder: FileItem }) {
  const { data, isError } = useQuery({
    queryKey: ['item', folder.id, 'size'],
    queryFn: () => call(getFolderSize, { id: folder.id }),
  })
  if (isError) return null
  return <Fact label="Size">{data && sizeWords(data)}</Fact>
}

/** `1.2 GB in 340 files`; `over 1.2 GB in 200,000 files` where not all was counted. */
const sizeWords = ({ bytes, files, is_exact }: FolderSize): string =>
  `${is_exact ? '' : 'over '}${formatSize(bytes)} in ${fileCount(files)}`

function Checksum({ value }: { value: string | undefined }) {
  return (
    <Fact label="Checksum" hint={value && `SHA-256 ${value}`}>
      {value && (
        <span className={styles.copied}>
          <span className={styles.mono}>
            {value.slice(0, 8)}…{value.slice(-7)}
          </span>
          <CopyButton label="Copy checksum" onCopy={() => copyText(value)} />
        </span>
      )}
    </Fact>
  )
}
