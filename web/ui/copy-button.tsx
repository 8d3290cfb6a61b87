/** A button that copies something and shows for two seconds that it has. */
import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import styles from './copy-button.module.css'
import { IconButton } from './icon-button.tsx'
import { usePhone } from './use-phone.ts'

/** ms for which the confirmation stays. */
const confirmationStay = 2_000

interface CopyButtonProps {
  /** What it does: 'Copy Key ID'. */
  label: string
  /** Copies; whether that has worked. Failures are the caller's to tell. */
  onCopy: () => Promise<boolean>
}

export function CopyButton({ label, onCopy }: CopyButtonProps) {
  // A number for each time, so that a second click in time lasts two seconds anew.
  const [copied, setCopied] = useState(0)
  const isPhone = usePhone()
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), confirmationStay)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <IconButton
        label={label}
        icon={copied > 0 ? IconCheck : IconCopy}
        iconSize={isPhone ? 20 : 16}
        size={isPhone ? 'lg' : 'sm'}
        className={styles.button}
        data-copied={copied > 0 || undefined}
        onClick={() => void onCopy().then(isCopied => isCopied && setCopied(now => now + 1))}
      />
      <VisuallyHidden role="status">{copied > 0 && 'Copied'}</VisuallyHidden>
    </>
  )
}
