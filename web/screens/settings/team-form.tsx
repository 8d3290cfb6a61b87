/** The form that creates a team folder, or changes what its administrators and managers decide. */
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { defaultStorageQuota } from '../../../src/api/limits.ts'
import type { Person } from '../../../src/api/shares.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { toGigabytes } from '../../lib/words/gigabytes.ts'
import { showToast } from '../../ui/toast.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { DialogForm } from './dialog-form.tsx'
import { PeopleField } from './people-field.tsx'
import { quotaErrors } from './quota.ts'
import { saveTeam, type TeamDraft } from './team-changes.ts'

interface TeamFormProps {
  /** Null for a new one. */
  team: Space | null
  onClose: () => void
}

const isManager = (team: Space): boolean => team.level === 'manage'

/** Whether the signed-in user may decide what its managers decide: the name, and who makes links. */
function useMayManage(team: Space | null): boolean {
  const mayShare = useAuth(({ user }) => user?.permissions.includes('files:share') === true)
  return team === null || (isManager(team) && mayShare)
}

/** A new team folder is managed by who makes it, unless others are appointed. */
function useFirstDraft(team: Space | null): TeamDraft {
  const me = useAuth(({ user }) => user)
  const own: Person[] = me === null ? [] : [{ id: me.id, username: me.username, full_name: me.full_name }]
  return {
    name: team?.name ?? '',
    quota: toGigabytes(team?.storage_quota ?? defaultStorageQuota),
    managers: team?.managers ?? own,
    editorsMayLink: team?.editors_may_link ?? false,
  }
}

function check(team: Space | null, { name, quota, managers }: TeamDraft): FieldErrors {
  return {
    ...(name.trim() === '' ? { name: 'Name is required' } : {}),
    ...quotaErrors(team, quota),
    ...(managers.length === 0 ? { manager_names: 'Choose at least one manager' } : {}),
  }
}

export function TeamForm({ team, onClose }: TeamFormProps) {
  const first = useFirstDraft(team)
  const [draft, setDraft] = useState(first)
  const mayManage = useMayManage(team)
  const size = usePhone() ? 'lg' : 'sm'
  const isNew = team === null
  const change = (part: Partial<TeamDraft>) => setDraft(before => ({ ...before, ...part }))
  return (
    <DialogForm
      submit={[isNew ? 'Create Team Folder' : 'Save', 'Saving...']}
      failure={isNew ? 'Failed to create team folder' : 'Failed to save team folder'}
      names={['name', 'storage_quota', 'manager_names']}
      check={() => check(team, draft)}
      onCancel={onClose}
      onSubmit={async () => {
        await saveTeam(draft, team)
        showToast({ tone: 'success', message: isNew ? 'Team folder created' : 'Team folder saved' })
        onClose()
      }}
    >
      {problems => (
        <>
          <TextInput
            label="Name"
            description={mayManage ? undefined : 'Only its managers can rename it'}
            size={size}
            value={draft.name}
            error={problems.name}
            disabled={!mayManage}
            aria-required
            data-autofocus={isNew || undefined}
            autoComplete="off"
            dir="auto"
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
          <TextInput
            label="Storage quota (GB)"
            description="For all that its members keep there; their own quotas are not used"
            type="number"
            min={1}
            step={0.1}
            size={size}
            value={draft.quota}
            error={problems.storage_quota}
            data-autofocus={!isNew || undefined}
            onChange={({ currentTarget: { value } }) => change({ quota: value })}
          />
          <PeopleField
            add="Add a manager"
            description="Managers see and change everything in the folder, and choose its members"
            takingOut={isNew ? undefined : 'Who is taken out stays a member who may edit'}
            label="Managers"
            whenEmpty="No managers yet"
            people={draft.managers}
            problem={problems.manager_names}
            onChange={managers => change({ managers })}
          />
          {!isNew && (
            <Checkbox
              label="Editors may make links"
              description={
                mayManage ? 'To what is in the folder, for people without an account' : 'Only its managers decide'
              }
              checked={draft.editorsMayLink}
              disabled={!mayManage}
              onChange={({ currentTarget: { checked } }) => change({ editorsMayLink: checked })}
            />
          )}
        </>
      )}
    </DialogForm>
  )
}
