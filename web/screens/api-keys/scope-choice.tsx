/** What a new key is for: everything of its owner, or one folder. */
import { Button, Radio } from '@mantine/core'
import { IconFolderFilled } from '@tabler/icons-react'
import type { Destination } from '../../items/destination.ts'
import styles from './scope-choice.module.css'

interface ScopeChoiceProps {
  /** Null: for everything. */
  folder: Destination | null
  onPick: () => void
  onClear: () => void
  problem?: string
  size: 'sm' | 'lg'
}

export function ScopeChoice({ folder, onPick, onClear, problem, size }: ScopeChoiceProps) {
  return (
    <Radio.Group
      label="Access to"
      value={folder === null ? 'all' : 'folder'}
      error={problem}
      onChange={value => (value === 'all' ? onClear() : onPick())}
    >
      <div className={styles.choices}>
        <Radio value="all" label="Everything that you can reach" />
        <Radio
          value="folder"
          label="One folder"
          description="The folder is all there is for the key: its root, with nothing above or beside it. The key goes only as far as your own access there, and sees no tags, favorites, trash, figures or account"
        />
      </div>
      {folder !== null && (
        <div className={styles.folder}>
          <IconFolderFilled size={20} className={styles.icon} aria-hidden />
          <span className={styles.name} title={folder.name} dir="auto">
            {folder.name}
          </span>
          <Button variant="default" size={size} onClick={onPick} aria-label={`Change the folder ${folder.name}`}>
            Change
          </Button>
        </div>
      )}
    </Radio.Group>
  )
}
