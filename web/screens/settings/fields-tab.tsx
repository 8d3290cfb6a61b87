/** The metadata fields that uploads are asked for. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { MetadataField } from '../../../src/api/metadata.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { fieldsQuery, removeField, toggleField } from './field-changes.ts'
import { FieldForm } from './field-form.tsx'
import { FieldTable } from './field-table.tsx'
import { LoadProblem } from './load-problem.tsx'
import { TabHead } from './tab-head.tsx'
import { TableSkeleton } from './table-skeleton.tsx'

/** The open form: for an existing field, or a new one. */
type OpenForm = { field: MetadataField | null }

export function FieldsTab() {
  const query = useQuery(fieldsQuery)
  const [form, setForm] = useState<OpenForm | null>(null)
  const [deleted, setDeleted] = useState<MetadataField | null>(null)
  const [toggleProblem, setToggleProblem] = useState<string | null>(null)
  const shownForm = useLast(form)
  const shownDeleted = useLast(deleted)
  const size = usePhone() ? 'lg' : 'sm'
  const newButton = useRef<HTMLButtonElement>(null)
  const closeForm = () => setForm(null)

  const toggle = async (field: MetadataField, isEnabled: boolean) => {
    setToggleProblem(null)
    try {
      await toggleField(field, isEnabled)
    } catch (error) {
      setToggleProblem(reasonOf(error))
    }
  }

  return (
    <>
      <TabHead words="What is asked for when files are uploaded.">
        <Button
          ref={newButton}
          size={size}
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => setForm({ field: null })}
        >
          New Field
        </Button>
      </TabHead>
      <LoadProblem query={query} title="Failed to load metadata fields" />
      {toggleProblem !== null && (
        <ErrorStrip title="Failed to toggle field" reason={toggleProblem} onDismiss={() => setToggleProblem(null)} />
      )}
      <TableSkeleton isPending={query.isPending} phoneRowHeight={64} />
      {query.data && (
        <FieldTable
          fields={query.data}
          onToggle={(field, isEnabled) => void toggle(field, isEnabled)}
          onEdit={field => setForm({ field })}
          onDelete={setDeleted}
        />
      )}
      <Dialog
        opened={form !== null}
        onClose={closeForm}
        title={shownForm?.field ? 'Edit Field' : 'New Field'}
        size={480}
        closeOnClickOutside={false}
      >
        <FieldForm field={shownForm?.field ?? null} onClose={closeForm} />
      </Dialog>
      <ConfirmDialog
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        title="Delete field?"
        confirm="Delete"
        failed={error => messageOf(error, 'Failed to delete field')}
        onConfirm={async () => {
          if (deleted !== null) await removeField(deleted)
          // The focused button is removed with its row, so move the focus.
          newButton.current?.focus()
        }}
      >
        <strong>{shownDeleted?.label}</strong> and its values on all files will be deleted. This action cannot be
        undone.
      </ConfirmDialog>
    </>
  )
}
