/** The field to drop files on, or to click for the file chooser; they go into the last folder viewed in this tab. */
import { UnstyledButton } from '@mantine/core'
import { IconCloudUpload, IconFolderUp } from '@tabler/icons-react'
import { useLastFolder } from '../lib/local/remembered-folder.ts'
import { pageConfig } from '../lib/server/config.ts'
import { addUploads } from '../lib/uploads/lazy-uploads.ts'
import { formatLimit } from '../lib/words/format-size.ts'
import { openFileChooser } from '../ui/file-chooser.ts'
import { IconButton } from '../ui/icon-button.tsx'
import type { Picked } from '../ui/picked-files.ts'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { usePhone } from '../ui/use-phone.ts'
import styles from './drop-field.module.css'

export function DropField() {
  const add = (picked: Picked) => addUploads(picked, useLastFolder.getState())
  const { isOver, handlers } = useFileDrop(add)
  const isPhone = usePhone()
  const name = useLastFolder(folder => folder.name)
  return (
    <div className={styles.field} data-over={isOver || undefined} {...handlers}>
      <UnstyledButton className={styles.browse} onClick={() => openFileChooser(add)}>
        <IconCloudUpload size={20} stroke={1.75} className={styles.icon} aria-hidden />
        <span className={styles.words} title={name ?? undefined}>
          Drop files here or click to browse
          <br />
          Maximum file size: {formatLimit(pageConfig.max_file_size)}
          {name !== null && (
            <>
              {' '}
              · into <bdi>{name}</bdi>
            </>
          )}
        </span>
      </UnstyledButton>
      {!isPhone && (
        <IconButton
          label="Upload folder"
          icon={IconFolderUp}
          size="md"
          onClick={() => openFileChooser(add, 'folder')}
        />
      )}
    </div>
  )
}
