/** A link's label with its address below it or, without one, its address alone. */
import type { Link } from '../../../../src/api/links.ts'
import { readableAddress } from './link-address.ts'
import styles from './links.module.css'

export function LinkName({ link: { label, url } }: { link: Pick<Link, 'label' | 'url'> }) {
  if (label === null && url === null) return <>Link without a readable address</>
  return (
    <>
      {label !== null && <bdi>{label}</bdi>}
      {url !== null && (
        <span className={styles.address} dir="ltr">
          {readableAddress(url)}
        </span>
      )}
    </>
  )
}

/** The same for the names of buttons. */
export const nameOfLink = ({ label, url }: Pick<Link, 'label' | 'url'>): string =>
  label ?? (url === null ? 'link' : readableAddress(url))
