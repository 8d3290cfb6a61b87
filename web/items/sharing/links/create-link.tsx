/**
 * Makes a link to an item with one press, or with options first; its address is copied at once. Where such a link exists
 * the press copies it, and another is made only on request.
 */
import { Button, NativeSelect } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconCopy, IconLink } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { type LinkLevel, linkAdds } from '../../../../src/api/link-levels.ts'
import { explainLinkLevel, linkLevelsFor } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'
import { levelNames, type Sharable } from '../../../../src/api/share-words.ts'
import type { SharingSettings } from '../../../../src/api/sharing-settings.ts'
import { makeLink } from '../../../lib/data/links.ts'
import { copyLater } from '../../../lib/local/copy-text.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { showToast } from '../../../ui/toast.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { copyLink } from './copy-link.ts'
import { linkAddress } from './link-address.ts'
import { draftErrors, findTwin, newDraft, newOptions } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'
import styles from './links.module.css'
import { useLinkForm } from './use-link-form.ts'

interface CreateLinkProps {
  item: Sharable
  /** Those that exist. */
  links: readonly Link[]
  rules: SharingSettings
  /** Whether it is all that the dialog offers. */
  isAlone: boolean
}

export function CreateLink({ item, links, rules, isAlone }: CreateLinkProps) {
  const userId = useAuth(({ user }) => user?.id)
  const [isOpen, setOpen] = useState(false)
  const meaning = useId()
  const size = usePhone() ? 'lg' : 'sm'
  const { form, draft, problems, isBusy, change, restart, submit } = useLinkForm({
    first: newDraft(rules),
    check: next => draftErrors(next, null, rules),
    send: async next => {
      const making = makeLink({ item_id: item.id, ...newOptions(next, rules) })
      const isCopied = await copyLater(making.then(({ url }) => linkAddress(url ?? '')))
      await making
      showToast({ tone: 'success', message: isCopied ? 'Link created and copied' : 'Link created' })
      restart({ ...newDraft(rules), level: next.level })
      setOpen(false)
    },
    failure: 'Failed to create the link',
    onProblem: () => setOpen(true),
  })
  const levels = linkLevelsFor(item).filter(level => rules.link_uploads || !linkAdds(level))
  const words = (
    <p id={meaning} className={styles.meaning} aria-live="polite">
      {explainLinkLevel(draft.level, item)}
    </p>
  )
  // A colleague's would name them to its visitors, and stop with their rights.
  const own = links.filter(({ made_by }) => made_by?.id === userId)
  const twin = findTwin(draft, own, rules)
  const Chevron = isOpen ? IconChevronUp : IconChevronDown
  return (
    <form ref={form} className={styles.create} onSubmit={submit} noValidate>
      {levels.length > 1 ? (
        <NativeSelect
          label="Visitors may"
          className={styles.choice}
          data={levels.map(level => ({ value: level, label: levelNames[level] }))}
          value={draft.level}
          onChange={event => change({ level: event.currentTarget.value as LinkLevel })}
          aria-describedby={meaning}
          size={size}
        />
      ) : (
        words
      )}
      <Button
        variant="subtle"
        size={size}
        aria-expanded={isOpen}
        rightSection={<Chevron size={16} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        Password, last day…
      </Button>
      {isOpen && <LinkFields draft={draft} before={null} problems={problems} onChange={change} />}
      {twin && (
        <Button type="submit" variant="subtle" size={size}>
          {isBusy ? 'Creating...' : 'New link'}
        </Button>
      )}
      <MainButton twin={twin} isBusy={isBusy} isAlone={isAlone} />
      {levels.length > 1 && words}
      {problems.form !== undefined && (
        <p className={styles.problem} role="alert">
          {problems.form}
        </p>
      )}
    </form>
  )
}

/**
 * Copies the link that exists, or makes one. It stays one element and is never disabled, so that it keeps the focus when
 * a link is made; a second press meanwhile does nothing.
 */
function MainButton({ twin, isBusy, isAlone }: { twin: Link | undefined; isBusy: boolean; isAlone: boolean }) {
  const size = usePhone() ? 'lg' : 'sm'
  const url = twin?.url ?? null
  const Glyph = url === null ? IconLink : IconCopy
  return (
    <Button
      type={url === null ? 'submit' : 'button'}
      variant={isAlone ? 'filled' : 'default'}
      size={size}
      leftSection={<Glyph size={16} stroke={1.75} aria-hidden />}
      data-autofocus={isAlone || undefined}
      data-maker
      onClick={url === null ? undefined : () => void copyLink(url)}
    >
      {url !== null ? 'Copy link' : isBusy ? 'Creating...' : 'Create link'}
    </Button>
  )
}
