/** A new key with its secret, which is never shown again; stays until it is dismissed. */
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import type { CreatedApiKey } from '../../../src/api/keys.ts'
import { dismissNewKey } from '../../lib/data/keys.ts'
import { copyText } from '../../lib/local/copy-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './new-key-banner.module.css'

export function NewKeyBanner({ apiKey }: { apiKey: CreatedApiKey }) {
  const ref = useRef<HTMLElement>(null)
  const size = usePhone() ? 'lg' : 'xs'
  useEffect(() => ref.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={ref} className={styles.banner} aria-label={`New API key ${apiKey.name}`}>
      <span className={styles.icon}>
        <IconKey size={18} stroke={1.75} aria-hidden />
      </span>
      <div className={styles.words} role="status">
        <h2 className={styles.title}>“{apiKey.name}” was created</h2>
        <p>Copy the secret now. It cannot be shown again.</p>
      </div>
      <div className={styles.fields}>
        <Field label="Key ID" value={apiKey.key_id} />
        <Field label="Secret" value={apiKey.secret} />
      </div>
      <Button variant="default" size={size} className={styles.dismiss} onClick={() => dismissNewKey(apiKey.id)}>
        I have saved it
      </Button>
    </section>
  )
}

function Field({ label, value }: { label: string; value: string }) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.input}
        value={value}
        readOnly
        spellCheck={false}
        onFocus={event => event.currentTarget.select()}
      />
      <CopyButton label={`Copy ${label}`} onCopy={() => copyText(value)} />
    </div>
  )
}
