/** Replaces a file that cannot be shown: its icon, the reason, and what the user can do. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import { ItemIcon } from '../items/item-icon.tsx'
import { usePhone } from '../ui/use-phone.ts'
import { PrintedFacts } from './printed-facts.tsx'
import { SaveFile } from './save-file.ts'
import type { ViewedFile } from './viewed-file.ts'
import styles from './viewer-notice.module.css'

interface ViewerNoticeProps {
  item: ViewedFile
  title: string
  /** Screen readers announce a failure at once. */
  isFailure?: boolean
  sentence?: ReactNode
  /** The cause, as the server or browser put it. */
  cause?: string
  /** The label of the download button; null for no button. */
  download?: string | null
  children?: ReactNode
}

export function ViewerNotice({ item, title, isFailure, sentence, cause, download, children }: ViewerNoticeProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const save = use(SaveFile)
  return (
    <div className={styles.notice} role={isFailure ? 'alert' : undefined}>
      <PrintedFacts item={item} />
      <ItemIcon item={item} size={56} />
      <h2 className={styles.title}>{title}</h2>
      {sentence && <p className={styles.sentence}>{sentence}</p>}
      {cause && <p className={styles.cause}>{cause}</p>}
      <div className={styles.actions}>
        {download !== null && (
          <Button
            variant="default"
            size={size}
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            onClick={() => save(item)}
          >
            {download ?? 'Download'}
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}
