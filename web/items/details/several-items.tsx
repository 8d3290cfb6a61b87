/** The details of several items: their number, total size and actions. */
import { Button } from '@mantine/core'
import { IconDownload, IconFileZip, IconFolderSymlink, IconStar, IconTag, IconTrash } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { usePhone } from '../../ui/use-phone.ts'
import type { ItemActions } from '../actions/use-item-actions.tsx'
import { folderAndFileCount, itemCount } from '../counts.ts'
import { ItemPicture } from '../item-picture.tsx'
import styles from './several-items.module.css'

/** How many of them the picture shows. */
const pictured = 4

export function SeveralItems({ items, actions }: { items: readonly FileItem[]; actions: ItemActions }) {
  const size = usePhone() ? 'lg' : 'sm'
  const folders = items.filter(item => item.is_directory).length
  const files = items.length - folders
  const bytes = items.reduce((sum, item) => sum + item.size, 0)
  const may = actions.mayOn(items)
  const isFavorite = items.every(item => item.is_favorite)
  const acts = [
    files > 0 && { label: 'Download', icon: IconDownload, run: actions.download },
    { label: 'Download as ZIP', icon: IconFileZip, run: actions.archive },
    files > 0 && may.tag && { label: 'Manage Tags', icon: IconTag, run: actions.manageTags },
    may.mark && {
      label: isFavorite ? 'Remove from favorites' : 'Add to favorites',
      icon: IconStar,
      run: actions.favorite,
    },
    may.organise && { label: 'Move…', icon: IconFolderSymlink, run: actions.moveTo },
    may.trash && { label: 'Delete', icon: IconTrash, run: actions.trash, tone: 'danger' },
  ].filter(act => act !== false)
  return (
    <>
      <div className={styles.pictures}>
        {items.slice(0, pictured).map(item => (
          <span key={item.id} className={styles.picture}>
            <ItemPicture item={item} />
          </span>
        ))}
      </div>
      <p className={styles.count}>{itemCount(items.length)}</p>
      <p className={styles.kinds}>
        {folderAndFileCount(folders, files)}
        {bytes > 0 && ` · ${formatSize(bytes)}`}
      </p>
      <div className={styles.actions}>
        {acts.map(({ label, icon: Glyph, run, ...rest }) => (
          <Button
            key={label}
            variant="subtle"
            size={size}
            justify="flex-start"
            leftSection={<Glyph size={16} stroke={1.75} aria-hidden />}
            data-tone={'tone' in rest ? rest.tone : undefined}
            onClick={() => run(items)}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  )
}
