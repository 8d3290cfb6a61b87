/** The form that creates a group of users, or changes its name and members. */
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldErrors } from '../../../src/api/errors.ts'
import type { Group, GroupDetails } from '../../../src/api/groups.ts'
import { maxGroupNameLength } from '../../../src/api/limits.ts'
import type { Person } from '../../../src/api/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { showToast } from '../../ui/toast.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { DialogForm } from './dialog-form.tsx'
import { groupQuery, saveGroup } from './group-changes.ts'
import styles from './group-form.module.css'
import { PeopleField } from './people-field.tsx'

interface GroupFormProps {
  /** Null for a new one. */
  group: Group | null
  onClose: () => void
}

/** Waits for the members of a group; a new one has none. */
export function GroupForm({ group, onClose }: GroupFormProps) {
  return group === null ? <Form group={null} onClose={onClose} /> : <LoadedForm id={group.id} onClose={onClose} />
}

function LoadedForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  if (data !== undefined) return <Form group={data} onClose={onClose} />
  if (error === null) return <div className={styles.waiting} role="status" aria-label="Loading" />
  return (
    <div className={styles.waiting} role="alert">
      <p>Failed to load the group. {reasonOf(error)}</p>
      <Button variant="default" size="sm" onClick={() => void refetch()}>
        Retry
      </Button>
    </div>
  )
}

function Form({ group, onClose }: { group: GroupDetails | null; onClose: () => void }) {
  // The group that the form began with: the cache may change while the form is open.
  const [before] = useState(group)
  const [name, setName] = useState(group?.name ?? '')
  const [members, setMembers] = useState<readonly Person[]>(group?.members ?? [])
  const size = usePhone() ? 'lg' : 'sm'
  const isNew = before === null
  return (
    <DialogForm
      submit={[isNew ? 'Create Group' : 'Save', 'Saving...']}
      failure={isNew ? 'Failed to create group' : 'Failed to save group'}
      names={['name', 'member_ids']}
      check={(): FieldErrors => (name.trim() === '' ? { name: 'Group name is required' } : {})}
      onCancel={onClose}
      onSubmit={async () => {
        await saveGroup({ name, members }, before)
        showToast({ tone: 'success', message: isNew ? 'Group created' : 'Group saved' })
        onClose()
      }}
    >
      {problems => (
        <>
          <TextInput
            label="Name"
            size={size}
            value={name}
            error={problems.name}
            maxLength={maxGroupNameLength}
            aria-required
            data-autofocus
            autoComplete="off"
            dir="auto"
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <PeopleField
            add="Add a member"
            takingOut={isNew ? undefined : 'Who is taken out loses what is shared with the group'}
            label="Members"
            whenEmpty="No members yet"
            people={members}
            problem={problems.member_ids}
            onChange={setMembers}
          />
        </>
      )}
    </DialogForm>
  )
}
