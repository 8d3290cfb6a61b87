/** One link of an item, with the controls that copy, show and change it. */
import { UnstyledButton } from '@mantine/core'
import { IconLink, IconQrcode, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { linkUse } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'
import type { Sharable } from '../../../../src/api/share-words.ts'
import type { SharingSettings } from '../../../../src/api/sharing-settings.ts'
import { copyText } from '../../../lib/local/copy-text.ts'
import { formatDate } from '../../../lib/words/format-date.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import dialog from '../share-dialog.module.css'
import { EditLink } from './edit-link.tsx'
import { linkAddress } from './link-address.ts'
import { LinkEvents } from './link-events.tsx'
import { LinkFacts } from './link-facts.tsx'
import { LinkMenu } from './link-menu.tsx'
import { LinkName, nameOfLink } from './link-name.tsx'
import { LinkQr } from './link-qr.tsx'
import { LinkState } from './link-state.tsx'
import { wordsOfUse } from './link-use.ts'
import styles from './links.module.css'
import { useLinkActs } from './use-link-acts.tsx'

interface LinkRowProps {
  item: Sharable
  link: Link
  rules: SharingSettings
  /** Called with a link that is about to leave the list. */
  onEnd: (link: Link) => void
}

/** `Today, 09:41` becomes `today, 09:41`. */
const midSentence = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

type Panel = 'qr' | 'change' | 'events'

export function LinkRow({ item, link, rules, onEnd }: LinkRowProps) {
  const [panel, setPanel] = useState<Panel | null>(null)
  const more = useRef<HTMLButtonElement>(null)
  const acts = useLinkActs(link, onEnd)
  const toggle = (name: Panel) => () => setPanel(panel === name ? null : name)
  const isPhone = usePhone()
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  const { url, level, last_used_at } = link
  const name = nameOfLink(link)
  const Glyph = level === 'upload' ? IconUpload : IconLink
  return (
    <li className={`${dialog.item} ${styles.link}`} data-file={link.id}>
      <div className={dialog.entry}>
        <span className={dialog.portrait}>
          <Glyph size={16} stroke={1.75} aria-hidden />
        </span>
        <div className={dialog.who}>
          <span className={dialog.name}>
            <LinkName link={link} />
          </span>
          <LinkFacts link={link} />
          {linkUse(link) !== null && (
            <UnstyledButton className={styles.use} aria-expanded={panel === 'events'} onClick={toggle('events')}>
              {wordsOfUse(link)}
              {last_used_at !== null && ` · last used ${midSentence(formatDate(last_used_at))}`}
            </UnstyledButton>
          )}
        </div>
      </div>
      <div className={dialog.controls}>
        {url !== null && (
          <>
            <CopyButton label={`Copy ${name}`} onCopy={() => copyText(linkAddress(url))} />
            <IconButton
              label={`QR code of ${name}`}
              title="QR code"
              icon={IconQrcode}
              aria-expanded={panel === 'qr'}
              {...look}
              onClick={toggle('qr')}
            />
          </>
        )}
        <LinkMenu link={link} acts={acts} opener={more} onChange={() => setPanel('change')} />
      </div>
      <LinkState link={link} acts={acts} onChange={() => setPanel('change')} />
      {panel === 'qr' && url !== null && <LinkQr url={url} />}
      {panel === 'events' && <LinkEvents link={link} />}
      {panel === 'change' && (
        <EditLink
          item={item}
          link={link}
          rules={rules}
          onClose={() => {
            setPanel(null)
            more.current?.focus()
          }}
        />
      )}
      {acts.problem !== null && (
        <p className={dialog.problem} role="alert">
          {acts.problem}
        </p>
      )}
      {acts.question}
    </li>
  )
}
