/** The form that changes a link. */
import { Button, NativeSelect } from '@mantine/core'
import { useEffect } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'
import { type LinkLevel, linkAdds } from '../../../../src/api/link-levels.ts'
import { linkLevelsFor } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'
import { levelNames } from '../../../../src/api/share-words.ts'
import type { SharingSettings } from '../../../../src/api/sharing-settings.ts'
import { changeLink } from '../../../lib/data/links.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { intoView } from './into-view.ts'
import { changesOf, draftErrors, draftOf } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'
import styles from './links.module.css'
import { useLinkForm } from './use-link-form.ts'

interface EditLinkProps {
  item: Pick<FileItem, 'is_directory'>
  link: Link
  rules: SharingSettings
  onClose: () => void
}

export function EditLink({ item, link, rules, onClose }: EditLinkProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const { form, draft, problems, isBusy, change, submit } = useLinkForm({
    first: draftOf(link),
    check: next => draftErrors(next, link, rules),
    send: async next => {
      await changeLink(link, changesOf(next, link, rules))
      onClose()
    },
    failure: 'Failed to change the link',
  })
  useEffect(() => intoView(form.current), [form])
  const levels = linkLevelsFor(item).filter(level => rules.link_uploads || !linkAdds(level) || level === link.level)
  return (
    <form ref={form} className={styles.panel} onSubmit={submit} noValidate>
      {levels.length > 1 && (
        <NativeSelect
          label="Visitors may"
          data={levels.map(level => ({ value: level, label: levelNames[level] }))}
          value={draft.level}
          onChange={event => change({ level: event.currentTarget.value as LinkLevel })}
          size={size}
        />
      )}
      <LinkFields draft={draft} before={link} problems={problems} onChange={change} />
      {problems.form !== undefined && (
        <p className={styles.problem} role="alert">
          {problems.form}
        </p>
      )}
      <div className={styles.acts}>
        <Button variant="subtle" size={size} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="default" size={size} disabled={isBusy}>
          {isBusy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
