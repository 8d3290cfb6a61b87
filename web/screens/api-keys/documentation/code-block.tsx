/** A block of code with a button that copies it. */
import { copyText } from '../../../lib/local/copy-text.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import styles from './code-block.module.css'

/** `label` describes the code for screen readers. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <pre className={styles.code} tabIndex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
      <span className={styles.copy}>
        <CopyButton label={`Copy ${label}`} onCopy={() => copyText(code)} />
      </span>
    </div>
  )
}
