/** The product's logo: a folder over a tray. */

/** Decorative, next to the product's name; `size` is in pixels. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path
        fill="var(--fs-mark-back)"
        d="M2.6 1h4.6c.6 0 1.1.2 1.5.6l1.2 1.2c.3.3.6.4 1 .4h6.5C18.8 3.2 20 4.4 20 5.8V9H0V3.6C0 2.2 1.2 1 2.6 1z"
      />
      <path
        fill="var(--fs-mark-front)"
        d="M0 8.2h5.7c.6 0 1 .3 1.3.8.6 1.1 1.7 1.7 3 1.7s2.4-.6 3-1.7c.3-.5.7-.8 1.3-.8H20v8.2c0 1.5-1.2 2.6-2.6 2.6H2.6C1.2 19 0 17.9 0 16.4z"
      />
    </svg>
  )
}
