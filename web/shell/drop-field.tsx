/** The field to drop files on, or to click for the browser's own dialog; they go into the folder last looked at. */
import { UnstyledButton } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import { pageConfig } from '../lib/config.ts'
import { formatLimit } from '../lib/format-size.ts'
import { rememberedFolder } from '../lib/remembered-folder.ts'
import { addUploads } from '../lib/uploads.ts'
import { useFileChooser } from '../ui/file-chooser.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'
import styles from './drop-field.module.css'

export function DropField() {
  const add = (files: File[]) => addUploads(files, rememberedFolder())
  const chooser = useFileChooser(add)
  const { isOver, handlers } = useFileDrop(add)
  return (
    <>
      <UnstyledButton className={styles.field} data-over={isOver || undefined} onClick={chooser.open} {...handlers}>
        <IconCloudUpload size={20} stroke={1.75} className={styles.icon} aria-hidden />
        <span>
          Drop files here or click to browse
          <br />
          Maximum file size: {formatLimit(pageConfig.max_file_size)}
        </span>
      </UnstyledButton>
      {chooser.input}
    </>
  )
}
