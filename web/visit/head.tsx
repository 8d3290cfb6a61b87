/** The head of the sheet: the name of what is shown, the facts about the link, and the buttons. */
import type { ReactNode } from 'react'
import styles from './head.module.css'

interface HeadProps {
  icon?: ReactNode
  /** Holds the page's only h1. */
  name: ReactNode
  facts: ReactNode
  /** Buttons; on a phone they belong into a `BottomBar`. */
  children?: ReactNode
}

export function Head({ icon, name, facts, children }: HeadProps) {
  return (
    <div className={styles.head}>
      {icon}
      <div className={styles.words}>
        {name}
        {facts}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

/** The buttons below the content on a phone. */
export const BottomBar = ({ children }: { children: ReactNode }) => <div className={styles.bottom}>{children}</div>
