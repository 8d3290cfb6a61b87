/** A box with a heading; `mark` comes after the heading. */
import type { ReactNode } from 'react'
import styles from './card.module.css'

export function Card({ title, mark, children }: { title: string; mark?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {mark}
      </div>
      {children}
    </section>
  )
}
