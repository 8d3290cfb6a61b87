/** The head of the picker's list: a button that turns into a field for a new folder's name. */
import { Button, TextInput } from '@mantine/core'
import { IconFolderPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { makeFolder } from '../../lib/data/folders.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './new-folder-row.module.css'

interface NewFolderRowProps {
  /** The parent of the new folder; null is the root. */
  parentId: number | null
  onCreated: (folder: FileItem) => void
}

export function NewFolderRow(props: NewFolderRowProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const size = usePhone() ? 'lg' : 'xs'
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (isOpen) return <NewFolderField {...props} onClose={() => setOpen(false)} />
  return (
    <div className={styles.head}>
      <Button
        ref={button}
        variant="subtle"
        size={size}
        leftSection={<IconFolderPlus size={16} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        New Folder
      </Button>
    </div>
  )
}

function NewFolderField({ parentId, onCreated, onClose }: NewFolderRowProps & { onClose: () => void }) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isPhone = usePhone()
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => ref.current?.focus(), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setProblem('Folder name is required')
    setBusy(true)
    try {
      onCreated(await makeFolder(name.trim(), parentId))
    } catch (error) {
      setProblem(messageOf(error, 'Failed to create folder'))
      setBusy(false)
    }
  }
  return (
    <form className={styles.head} onSubmit={event => void submit(event)}>
      <TextInput
        className={styles.field}
        size={isPhone ? 'lg' : 'sm'}
        aria-label="Folder Name"
        placeholder="Folder Name"
        value={name}
        error={problem}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        ref={ref}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') onClose()
          // The button is disabled without a name, so Enter would not submit and show the error.
          if (event.key === 'Enter' && name.trim() === '') void submit(event)
        }}
        // Escape closes only the field, not the dialog around it.
        data-mantine-stop-propagation="true"
      />
      <Button type="submit" variant="default" size={isPhone ? 'lg' : 'sm'} disabled={isBusy || name.trim() === ''}>
        {isBusy ? 'Creating...' : 'Create Folder'}
      </Button>
      <IconButton label="Cancel new folder" icon={IconX} size={isPhone ? 'lg' : 'sm'} onClick={onClose} />
    </form>
  )
}
