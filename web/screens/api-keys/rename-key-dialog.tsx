/** The form for a key's new name. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ApiKey } from '../../../src/api/keys.ts'
import { maxKeyNameLength } from '../../../src/api/limits.ts'
import { messageOf } from '../../lib/call.ts'
import { changeKey } from '../../lib/keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePhone } from '../../ui/use-phone.ts'

interface RenameKeyDialogProps {
  /** Null while it is closed. */
  apiKey: ApiKey | null
  onClose: () => void
}

export function RenameKeyDialog({ apiKey, onClose }: RenameKeyDialogProps) {
  return (
    <Dialog opened={apiKey !== null} onClose={onClose} title="Rename API Key" closeOnClickOutside={false}>
      {apiKey && <RenameKeyForm apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

function RenameKeyForm({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const trimmed = name.trim()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (trimmed === '') return setProblem('Please enter a name for the API key')
    if (trimmed === apiKey.name) return onClose()
    setBusy(true)
    try {
      await changeKey(apiKey.id, { name: trimmed })
      onClose()
    } catch (error) {
      setProblem(messageOf(error, 'Failed to update API key'))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <TextInput
        label="Name"
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
        error={problem}
        errorProps={{ role: 'alert' }}
        maxLength={maxKeyNameLength}
        size={size}
        autoComplete="off"
        data-autofocus
      />
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size={size} disabled={isBusy || trimmed === ''}>
          {isBusy ? 'Saving...' : 'Save'}
        </Button>
      </DialogActions>
    </form>
  )
}
