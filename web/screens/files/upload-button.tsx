/** The Upload button, with a small one beside it for whole folders. */
import { Button } from '@mantine/core'
import { IconChevronDown, IconFileUpload, IconFolderUp, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import styles from './upload-button.module.css'

interface UploadButtonProps {
  onUpload: () => void
  /** Absent when the user may not make folders here. */
  onUploadFolder: (() => void) | undefined
}

export function UploadButton({ onUpload, onUploadFolder }: UploadButtonProps) {
  return (
    <div className={styles.group}>
      <Button
        leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}
        className={onUploadFolder && styles.upload}
        onClick={onUpload}
      >
        Upload
      </Button>
      {onUploadFolder && <MoreWays onUpload={onUpload} onUploadFolder={onUploadFolder} />}
    </div>
  )
}

function MoreWays({ onUpload, onUploadFolder }: { onUpload: () => void; onUploadFolder: () => void }) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const more = useRef<HTMLButtonElement>(null)
  const actions = [
    { label: 'Upload files', icon: IconFileUpload, run: onUpload },
    { label: 'Upload folder', icon: IconFolderUp, run: onUploadFolder },
  ]
  return (
    <>
      <Button
        ref={more}
        className={styles.more}
        aria-label="More ways to upload"
        title="More ways to upload"
        aria-haspopup="menu"
        aria-expanded={place !== null}
        onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
      >
        <IconChevronDown size={14} stroke={1.75} aria-hidden />
      </Button>
      <ActionMenu
        place={place}
        groups={[actions]}
        label="Ways to upload"
        onClose={() => {
          setPlace(null)
          more.current?.focus()
        }}
      />
    </>
  )
}
