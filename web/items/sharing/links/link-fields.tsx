/** The options of a link as fields of a form. */
import { Checkbox, TextInput } from '@mantine/core'
import type { FieldErrors } from '../../../../src/api/errors.ts'
import { maxLabelLength } from '../../../../src/api/limits.ts'
import { linkAdds, linkSees } from '../../../../src/api/link-levels.ts'
import type { Link } from '../../../../src/api/links.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { dayOf } from '../end-date.ts'
import { type LinkDraft, latestDay } from './link-draft.ts'
import styles from './links.module.css'
import { PasswordField } from './password-field.tsx'

interface LinkFieldsProps {
  draft: LinkDraft
  /** The link that is changed; null for a new one. */
  before: Link | null
  problems: FieldErrors
  onChange: (part: Partial<LinkDraft>) => void
}

export function LinkFields({ draft, before, problems, onChange }: LinkFieldsProps) {
  const rules = useAuth(({ user }) => user?.sharing)
  const shared = { size: usePhone() ? 'lg' : 'sm', errorProps: { role: 'alert' }, autoComplete: 'off' } as const
  if (rules === undefined) return null
  const { level, label, day, downloads, gigabytes, askName } = draft
  return (
    <div className={styles.fields}>
      <TextInput
        {...shared}
        label="Label"
        placeholder="For whom, or what for"
        description="Only those who manage the link see it"
        maxLength={maxLabelLength}
        value={label}
        error={problems.label}
        dir="auto"
        onChange={({ currentTarget: { value } }) => onChange({ label: value })}
      />
      <PasswordField
        {...shared}
        draft={draft}
        isNeeded={rules.link_password_required}
        hasPassword={before?.has_password === true}
        error={problems.password}
        onChange={onChange}
      />
      <TextInput
        {...shared}
        type="date"
        label="Last day"
        description={rules.link_max_days === 0 ? 'Empty: it does not end' : `At most ${rules.link_max_days} days`}
        value={day}
        min={dayOf(new Date())}
        max={latestDay(before, rules)}
        error={problems.expires_at}
        onChange={({ currentTarget: { value } }) => onChange({ day: value })}
      />
      {linkSees(level) && (
        <TextInput
          {...shared}
          label="Downloads at most"
          placeholder="No limit"
          description="With a limit visitors see no previews"
          inputMode="numeric"
          value={downloads}
          error={problems.max_downloads}
          onChange={({ currentTarget: { value } }) => onChange({ downloads: value.trim() })}
        />
      )}
      {linkAdds(level) && (
        <TextInput
          {...shared}
          label="Uploads at most (GB)"
          placeholder="No limit"
          description="All uploads together"
          inputMode="decimal"
          value={gigabytes}
          error={problems.max_bytes}
          onChange={({ currentTarget: { value } }) => onChange({ gigabytes: value.trim() })}
        />
      )}
      {linkAdds(level) && (
        <Checkbox
          className={styles.wide}
          label="Ask for a name"
          description="It begins the name of each file that somebody uploads"
          checked={askName}
          error={problems.ask_name}
          onChange={({ currentTarget: { checked } }) => onChange({ askName: checked })}
        />
      )}
    </div>
  )
}
