/** A section of the details panel with a heading, and the facts in it. */
import type { ReactNode } from 'react'
import styles from './section.module.css'

interface SectionProps {
  title: string
  /** Shown at the end of the heading. */
  action?: ReactNode
  children: ReactNode
}

export function Section({ title, action, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h3 className={styles.title}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

/** `children` is undefined while the value is loading. */
export function Fact({ label, hint, children }: { label: string; hint?: string; children?: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value} title={hint}>
        {children === undefined ? <Bar width="60%" /> : children}
      </dd>
    </div>
  )
}

/** A grey placeholder in a line of text. */
export function Bar({ width }: { width: string }) {
  return <span className={styles.bar} style={{ width }} />
}
