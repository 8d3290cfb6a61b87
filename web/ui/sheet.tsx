/** The one sheet that a screen's content stands on. */
import type { ComponentPropsWithoutRef } from 'react'
import styles from './sheet.module.css'

/** `title` names the browser's tab. */
export function Sheet({ title, ...rest }: { title: string } & ComponentPropsWithoutRef<'main'>) {
  return (
    <main {...rest} className={styles.sheet}>
      <title>{`${title} · filestore`}</title>
      {rest.children}
    </main>
  )
}
