/** A section of the account screen: its description at the left (on a phone above), and its controls. */
import type { ReactNode } from 'react'
import styles from './account-part.module.css'

export function AccountPart({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <div className={styles.about}>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.hint}>{hint}</p>
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  )
}
