/** A text as a QR code; a chunk of its own. */
import { encode } from 'uqr'

interface QrCodeProps {
  text: string
  /** What it is, for screen readers. */
  label: string
  className: string | undefined
}

/** Modules of white around the code, which scanners need. */
const border = 4

export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      fill="#000"
    >
      <path d={path} />
    </svg>
  )
}
