/** The form for a key's new name. */
import type { ApiKey } from '../../../src/api/keys.ts'
import { maxKeyNameLength } from '../../../src/api/limits.ts'
import { changeKey } from '../../lib/data/keys.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NameForm } from '../../ui/name-form.tsx'

interface RenameKeyDialogProps {
  /** Null while it is closed. */
  apiKey: ApiKey | null
  onClose: () => void
}

export function RenameKeyDialog({ apiKey, onClose }: RenameKeyDialogProps) {
  const save = async (name: string) => {
    if (apiKey !== null && name !== apiKey.name) await changeKey(apiKey.id, { name })
    onClose()
  }
  return (
    <Dialog opened={apiKey !== null} onClose={onClose} title="Rename API Key" closeOnClickOutside={false}>
      {apiKey && (
        <NameForm
          label="Name"
          initial={apiKey.name}
          maxLength={maxKeyNameLength}
          action="Save"
          busyAction="Saving..."
          missing="Please enter a name for the API key"
          save={save}
          explain={error => messageOf(error, 'Failed to update API key')}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
