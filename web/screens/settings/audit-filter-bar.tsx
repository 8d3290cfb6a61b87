/** The filters of the audit log; each applies while it is filled in. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './audit-filter-bar.module.css'
import { type AuditFilters, noFilters } from './audit-query.ts'
import { auditActions } from './audit-words.tsx'

/** Milliseconds after the last key before a typed name applies. */
const typingPause = 400

const actionChoices = [
  { value: '', label: 'All actions' },
  ...auditActions.map(({ noun, label, actions }) => ({
    group: label,
    items: [
      { value: noun, label: `All of ${label.toLowerCase().replace('api', 'API')}` },
      ...actions.map(action => ({ value: action, label: action })),
    ],
  })),
]

interface AuditFilterBarProps {
  filters: AuditFilters
  onChange: (filters: AuditFilters) => void
  onRefresh: () => void
  onExport: (filters: AuditFilters) => void
}

export function AuditFilterBar({ filters, onChange, onRefresh, onExport }: AuditFilterBarProps) {
  const [actor, setActor] = useState(filters.actor)
  const isPhone = usePhone()
  const size = isPhone ? 'lg' : 'sm'
  const icon = { iconSize: isPhone ? 20 : 16, size: isPhone ? 'lg' : 'md' }
  const isFiltered = Object.values({ ...filters, actor }).some(value => value !== '')
  useEffect(() => {
    if (actor === filters.actor) return
    const timer = setTimeout(() => onChange({ ...filters, actor }), typingPause)
    return () => clearTimeout(timer)
  }, [actor, filters, onChange])
  // A date field shows no placeholder of ours: its word stands in it, and above it where it is narrow.
  const word = (label: string) =>
    isPhone ? { label } : { 'aria-label': label, leftSection: label, leftSectionWidth: label.length * 7 + 20 }
  const bind = (name: 'action' | 'from' | 'to') => ({
    size,
    value: filters[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...filters, actor, [name]: value }),
  })

  return (
    <div className={styles.bar} role="search" aria-label="Audit log">
      <TextInput
        className={styles.actor}
        size={size}
        aria-label="Username"
        placeholder="Username"
        value={actor}
        autoCapitalize="none"
        spellCheck={false}
        onChange={event => setActor(event.currentTarget.value)}
      />
      <NativeSelect {...bind('action')} className={styles.action} aria-label="Action" data={actionChoices} />
      <TextInput {...bind('from')} {...word('From')} className={styles.day} type="date" max={filters.to || undefined} />
      <TextInput {...bind('to')} {...word('To')} className={styles.day} type="date" min={filters.from || undefined} />
      {isFiltered && (
        <Button
          variant="subtle"
          size={size}
          className={styles.clear}
          onClick={() => {
            setActor('')
            onChange(noFilters)
          }}
        >
          Clear
        </Button>
      )}
      <div className={styles.acts}>
        <IconButton
          {...icon}
          label="Export as CSV"
          icon={IconDownload}
          onClick={() => onExport({ ...filters, actor })}
        />
        <IconButton {...icon} label="Refresh" icon={IconRefresh} onClick={onRefresh} />
      </div>
    </div>
  )
}
