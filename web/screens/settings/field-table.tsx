/** The list of metadata fields, after those that the system fills in itself. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { MetadataField } from '../../../src/api/metadata.ts'
import { Badge } from '../../ui/badge.tsx'
import { Toggle } from '../../ui/toggle.tsx'
import { type Column, DataTable } from './data-table.tsx'
import styles from './field-table.module.css'
import { fieldTypeNames } from './field-types.ts'
import { RowActions } from './row-actions.tsx'

/** The fields that every file has automatically. */
const systemFields = [
  { name: 'upload_date', label: 'Upload date', type: fieldTypeNames.date },
  { name: 'uploaded_by', label: 'Uploaded by', type: fieldTypeNames.text },
  { name: 'file_type', label: 'File type', type: fieldTypeNames.text },
]

/** `field` is null for a system field. */
interface Row {
  name: string
  label: string
  type: string
  field: MetadataField | null
}

interface FieldTableProps {
  fields: readonly MetadataField[]
  onToggle: (field: MetadataField, isEnabled: boolean) => void
  onEdit: (field: MetadataField) => void
  onDelete: (field: MetadataField) => void
}

export function FieldTable({ fields, onToggle, onEdit, onDelete }: FieldTableProps) {
  const rows: Row[] = [
    ...systemFields.map(each => ({ ...each, field: null })),
    ...fields.map(field => ({ ...field, type: fieldTypeNames[field.field_type], field })),
  ]
  const toggle = (field: MetadataField) => (
    <Toggle
      label={`${field.label} enabled`}
      title={field.is_enabled ? 'Disable' : 'Enable'}
      checked={field.is_enabled}
      onChange={isEnabled => onToggle(field, isEnabled)}
    />
  )
  const actions = (field: MetadataField) => (
    <RowActions
      name={field.label}
      actions={[
        { label: 'Edit', icon: IconPencil, run: () => onEdit(field) },
        { label: 'Delete', icon: IconTrash, tone: 'danger', run: () => onDelete(field) },
      ]}
    />
  )
  const columns: Column<Row>[] = [
    {
      head: 'Label',
      width: 'minmax(0, 5fr)',
      cell: ({ label, field }) => (
        <span className={styles.label} title={field?.description || label}>
          <span className={styles.text} dir="auto">
            {label}
          </span>
          {field === null && <Badge>System</Badge>}
          {field?.description && <span className={styles.description}>{field.description}</span>}
        </span>
      ),
    },
    {
      head: 'Name',
      width: 'minmax(0, 3fr)',
      isWide: true,
      cell: ({ name }) => (
        <code className={styles.name} title={name}>
          {name}
        </code>
      ),
    },
    { head: 'Type', width: '108px', cell: ({ type }) => type },
    {
      head: 'Required',
      width: '108px',
      cell: ({ field }) => (field === null ? 'Always included' : field.is_required ? 'Required' : '—'),
    },
    { head: 'Enabled', width: '64px', cell: ({ field }) => field && toggle(field) },
    { head: 'Actions', width: '60px', isBare: true, cell: ({ field }) => field && actions(field) },
  ]
  return (
    <DataTable
      label="Metadata fields"
      columns={columns}
      rows={rows}
      // An administrator's field may have the same name as a system field.
      keyOf={({ name, field }) => field?.id ?? name}
      labelOf={({ label }) => label}
      isFaint={({ field }) => field?.is_enabled === false}
      phoneRowHeight={64}
      phoneRow={({ label, name, type, field }) => (
        <div className={styles.box}>
          <div className={styles.words}>
            <div className={styles.phoneLabel} dir="auto">
              {label}
            </div>
            <div className={styles.meta}>
              {field === null ? <Badge>System</Badge> : <code>{name}</code>}
              <span>{type}</span>
              <span>{field === null ? 'Always included' : field.is_required && 'Required'}</span>
            </div>
          </div>
          {field && toggle(field)}
          {field && actions(field)}
        </div>
      )}
    />
  )
}
