/** The form for a new API key. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import { folderPermissions } from '../../../src/api/keys.ts'
import { keyExpiryDays, maxKeyNameLength } from '../../../src/api/limits.ts'
import type { Permission } from '../../../src/api/permissions.ts'
import type { Destination } from '../../items/destination.ts'
import { FolderPicker } from '../../items/folder-picker.tsx'
import { makeKey } from '../../lib/data/keys.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { formatDay } from '../../lib/words/format-date.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './create-key-dialog.module.css'
import { LimitFields } from './limit-fields.tsx'
import { type LimitTexts, limitProblem, limitsToSend, noLimits } from './limits.ts'
import { PermissionChoice } from './permission-choice.tsx'
import { ScopeChoice } from './scope-choice.tsx'

interface CreateKeyDialogProps {
  opened: boolean
  onClose: () => void
  onCreated: () => void
}

export function CreateKeyDialog({ opened, onClose, onCreated }: CreateKeyDialogProps) {
  const [isPicking, setPicking] = useState(false)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Create API Key"
      size={640}
      closeOnClickOutside={false}
      // Escape closes the picker of the folder alone.
      closeOnEscape={!isPicking}
    >
      <CreateKeyForm onClose={onClose} onCreated={onCreated} isPicking={isPicking} setPicking={setPicking} />
    </Dialog>
  )
}

const noName = 'Please enter a name for the API key'
const noPermission = 'Please select at least one permission'

const expiryChoices = [
  { value: '', label: 'Never' },
  ...keyExpiryDays.map(days => ({
    value: String(days),
    label: days % 365 === 0 ? `${days} days (${days / 365} ${days === 365 ? 'year' : 'years'})` : `${days} days`,
  })),
]

/** The date some days from now. */
const dayIn = (days: number): string => formatDay(new Date(Date.now() + days * 86_400_000).toISOString())

interface CreateKeyFormProps extends Omit<CreateKeyDialogProps, 'opened'> {
  /** Whether the picker of the folder is open. */
  isPicking: boolean
  setPicking: (isPicking: boolean) => void
}

/** The form, and beside it the picker of the folder: inside the form, keys pressed in it would reach the form. */
function CreateKeyForm({ isPicking, setPicking, ...rest }: CreateKeyFormProps) {
  const [folder, setFolder] = useState<Destination | null>(null)
  return (
    <>
      <KeyForm {...rest} folder={folder} onPick={() => setPicking(true)} onClear={() => setFolder(null)} />
      {isPicking && (
        <FolderPicker
          title="Folder of the key"
          description="The key sees this folder and what is in it, and nothing else."
          startId={folder?.id ?? null}
          refusalOf={id => (id === null ? 'Open the folder that the key is for.' : null)}
          onClose={() => setPicking(false)}
          onSelect={selected => {
            setFolder(selected)
            setPicking(false)
          }}
        />
      )}
    </>
  )
}

interface KeyFormProps extends Omit<CreateKeyDialogProps, 'opened'> {
  folder: Destination | null
  onPick: () => void
  onClear: () => void
}

function KeyForm({ onClose, onCreated, folder, onPick, onClear }: KeyFormProps) {
  const [name, setName] = useState('')
  const [allChosen, setChosen] = useState<ReadonlySet<Permission>>(new Set())
  const [expiry, setExpiry] = useState('')
  const [limits, setLimits] = useState<LimitTexts>(noLimits)
  // Fields that the user has left, so that a new form does not show errors at once.
  const [touched, setTouched] = useState({ name: false, permissions: false })
  const [problem, setProblem] = useState<{ name?: string; folder?: string; form?: string }>({})
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const offered = folder === null ? undefined : folderPermissions
  // What is chosen comes back when the key is for everything again.
  const chosen = new Set([...allChosen].filter(permission => offered?.includes(permission) ?? true))
  const isNamed = name.trim() !== ''
  const isReady = isNamed && chosen.size > 0 && limitProblem(limits) === null

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTouched({ name: true, permissions: true })
    if (!isReady || isBusy) return
    setBusy(true)
    try {
      const expires = expiry === '' ? {} : { expires_in: Number(expiry) }
      await makeKey({
        name: name.trim(),
        permissions: [...chosen],
        ...expires,
        ...limitsToSend(limits),
        scope_id: folder?.id ?? undefined,
      })
      onClose()
      onCreated()
    } catch (error) {
      const form = messageOf(error, 'Failed to create API key')
      const isFolderGone = folder !== null && error instanceof ApiError && error.code === 'not_found'
      const field = error instanceof ApiError ? error.fields.name : undefined
      if (isFolderGone) setProblem({ folder: 'This folder is not there any more. Choose another one' })
      else setProblem(field === undefined ? { form } : { name: field })
      setBusy(false)
    }
  }
  return (
    <form
      className={styles.form}
      onSubmit={event => void submit(event)}
      onKeyDown={event => {
        // The button is disabled while something is missing, so Enter would not submit and show the error.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !isReady) void submit(event)
      }}
      noValidate
    >
      <TextInput
        label="Name"
        placeholder="The program or machine that uses it"
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem({})
        }}
        onBlur={() => name !== '' && setTouched(now => ({ ...now, name: true }))}
        error={problem.name ?? (touched.name && !isNamed ? noName : null)}
        errorProps={{ role: 'alert' }}
        maxLength={maxKeyNameLength}
        withAsterisk
        size={size}
        autoComplete="off"
        data-autofocus
      />
      <ScopeChoice
        folder={folder}
        problem={problem.folder}
        size={size}
        onPick={() => {
          setProblem({})
          onPick()
        }}
        onClear={onClear}
      />
      <PermissionChoice
        among={offered}
        chosen={chosen}
        onChange={permissions => {
          setChosen(permissions)
          setTouched(now => ({ ...now, permissions: true }))
        }}
        error={touched.permissions && chosen.size === 0 ? noPermission : null}
      />
      <NativeSelect
        label="Expiration"
        data={expiryChoices}
        value={expiry}
        onChange={event => setExpiry(event.currentTarget.value)}
        description={expiry === '' ? 'Works until it is deleted or disabled' : `Works until ${dayIn(Number(expiry))}`}
        size={size}
      />
      <LimitFields limits={limits} onChange={setLimits} size={size} />
      {problem.form !== undefined && (
        <p className={styles.problem} role="alert">
          {problem.form}
        </p>
      )}
      <div className={styles.actions}>
        <DialogActions>
          {!isReady && <span className={styles.reason}>{missing(isNamed, chosen.size > 0)}</span>}
          <Button variant="default" size={size} disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size={size} disabled={isBusy || !isReady}>
            {isBusy ? 'Creating...' : 'Create API Key'}
          </Button>
        </DialogActions>
      </div>
    </form>
  )
}

/** Why the key cannot be created yet. */
function missing(hasName: boolean, hasPermission: boolean): string {
  if (!hasName && !hasPermission) return 'It needs a name and a permission'
  if (!hasName) return 'It needs a name'
  return hasPermission ? 'Correct the rate limits' : 'It needs a permission'
}
