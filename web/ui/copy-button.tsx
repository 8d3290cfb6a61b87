/** A button that copies something and confirms it for two seconds. */
import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import styles from './copy-button.module.css'
import { IconButton } from './icon-button.tsx'
import { usePhone } from './use-phone.ts'

/** How long the confirmation shows, in ms. */
const confirmationStay = 2_000

interface CopyButtonProps {
  /** The button's label: 'Copy Key ID'. */
  label: string
  /** Copies; resolves with whether it worked. The caller reports failures. */
  onCopy: () => Promise<boolean>
}

export function CopyButton({ label, onCopy }: CopyButtonProps) {
  // A counter instead of a flag, so that another click restarts the two seconds.
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
