/** The line drawings that a first load may show, and the frame of all: 80 × 64, in the surrounding text's colour. */
import type { ReactNode } from 'react'

export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      width="80"
      height="64"
      viewBox="0 0 80 64"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

/** An open folder with an arrow into it. */
export function FolderDrawing() {
  return (
    <Drawing>
      <path d="M14 20v-6a4 4 0 0 1 4-4h12l6 6h26a4 4 0 0 1 4 4" fill="var(--fs-sunken)" />
      <rect x="10" y="20" width="60" height="36" rx="4" fill="var(--fs-surface)" />
      <path d="M40 47V31m-6 6 6-6 6 6" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** A page with a folded corner that is not there. */
export function MissingDrawing() {
  return (
    <Drawing>
      <path d="M24 8h22l12 12v36H24z" fill="var(--fs-sunken)" strokeDasharray="4 4" />
      <path d="M46 8v12h12" />
    </Drawing>
  )
}
