/** A box with a heading. */
import type { ReactNode } from 'react'
import styles from './card.module.css'

export function Card({ title, mark, children }: { title: string; mark?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.title}>
        {title}
        {mark}
      </h2>
      {children}
    </section>
  )
}
