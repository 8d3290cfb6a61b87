/** A part of the details panel under its heading, and the facts that stand there. */
import type { ReactNode } from 'react'
import styles from './section.module.css'

interface SectionProps {
  title: string
  /** At the heading's end. */
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

/** `children` undefined is a value that is still to come. */
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

/** A grey bar in a line of text. */
export function Bar({ width }: { width: string }) {
  return <span className={styles.bar} style={{ width }} />
}
