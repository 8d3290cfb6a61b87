/** Where files are dropped or chosen, or photographed. */
import { Button } from '@mantine/core'
import { IconCamera, IconCloudUpload } from '@tabler/icons-react'
import { formatLimit } from '../../lib/words/format-size.ts'
import { openFileChooser } from '../../ui/file-chooser.ts'
import type { Picked } from '../../ui/picked-files.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { watchWindow } from '../../ui/watch-window.ts'
import styles from './drop-area.module.css'

/** Whether the device is used by finger, and so probably has a camera at hand. */
const useFinger = watchWindow('(pointer: coarse)')

interface DropAreaProps {
  /** Bytes. */
  maxFileSize: number
  /** Whether files hover over the window. */
  isOver: boolean
  onPicked: (picked: Picked) => void
}

export function DropArea({ maxFileSize, isOver, onPicked }: DropAreaProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const hasCamera = useFinger()
  return (
    <div className={styles.area} data-over={isOver || undefined}>
      <IconCloudUpload size={28} stroke={1.5} className={styles.icon} aria-hidden />
      <p className={styles.words}>
        {hasCamera ? 'Choose the files to send' : 'Drop files here, or choose them'}
        <span className={styles.limit}>At most {formatLimit(maxFileSize)} each</span>
      </p>
      <div className={styles.buttons}>
        <Button variant="default" size={size} onClick={() => openFileChooser(onPicked)}>
          Choose files
        </Button>
        {hasCamera && (
          <Button
            variant="default"
            size={size}
            leftSection={<IconCamera size={20} stroke={1.75} aria-hidden />}
            onClick={() => openFileChooser(onPicked, 'camera')}
          >
            Take a photo
          </Button>
        )}
      </div>
    </div>
  )
}
