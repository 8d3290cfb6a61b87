/** The form for a new folder. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { messageOf } from '../../lib/call.ts'
import { makeFolder } from '../../lib/folders.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePhone } from '../../ui/use-phone.ts'

interface NewFolderDialogProps {
  opened: boolean
  /** Where the folder is to be made; null is the root. */
  parentId: number | null
  onClose: () => void
  onCreated: (folder: FileItem) => void
}

export function NewFolderDialog({ opened, onClose, ...rest }: NewFolderDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create New Folder" closeOnClickOutside={false}>
      <NewFolderForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function NewFolderForm({ parentId, onClose, onCreated }: Omit<NewFolderDialogProps, 'opened'>) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setProblem('Folder name is required')
    setBusy(true)
    try {
      const folder = await makeFolder(name.trim(), parentId)
      onClose()
      onCreated(folder)
    } catch (error) {
      setProblem(messageOf(error, 'Failed to create folder'))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <TextInput
        label="Folder Name"
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
        onKeyDown={event => {
          // A disabled button would keep Enter from saying what is missing.
          if (event.key === 'Enter' && name.trim() === '') void submit(event)
        }}
        error={problem}
        errorProps={{ role: 'alert' }}
        size={size}
        autoComplete="off"
        data-autofocus
      />
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size={size} disabled={isBusy || name.trim() === ''}>
          {isBusy ? 'Creating...' : 'Create Folder'}
        </Button>
      </DialogActions>
    </form>
  )
}
