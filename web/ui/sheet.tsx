/** The main content area of a screen. */
import type { ComponentPropsWithoutRef } from 'react'
import styles from './sheet.module.css'

/** `title` becomes the title of the browser tab. */
export function Sheet({ title, ...rest }: { title: string } & ComponentPropsWithoutRef<'main'>) {
  return (
    <main {...rest} className={styles.sheet}>
      <title>{`${title} · filestore`}</title>
      {rest.children}
    </main>
  )
}
