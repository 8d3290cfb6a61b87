/** A link as a QR code, for phones and paper, and as text. */
import { lazyPart } from '../../../lib/server/lazy-part.ts'
import { linkAddress } from './link-address.ts'
import styles from './links.module.css'

const Waiting = () => <span className={styles.code} role="status" aria-label="Loading" />

const QrCode = lazyPart(() => import('./qr-code.tsx'), 'QrCode', Waiting)

export function LinkQr({ url }: { url: string }) {
  const address = linkAddress(url)
  return (
    <div className={styles.qr}>
      <QrCode text={address} label="QR code of the link" className={styles.code} />
      <p className={styles.whole} dir="ltr">
        {address}
      </p>
    </div>
  )
}
