/** The line drawings of empty pages. */
import { Drawing } from './drawing.tsx'

/** A bin with its lid on. */
export function TrashDrawing() {
  return (
    <Drawing>
      <path d="M24 20h32l-3 33a4 4 0 0 1-4 4H31a4 4 0 0 1-4-4z" fill="var(--fs-sunken)" />
      <path d="M19 20h42M33 20v-5a3 3 0 0 1 3-3h8a3 3 0 0 1 3 3v5M35 29l1 19m9-19-1 19" />
    </Drawing>
  )
}

/** A label on a string. */
export function TagDrawing() {
  return (
    <Drawing>
      <path
        d="M16 14h20a4 4 0 0 1 2.8 1.2l22 22a4 4 0 0 1 0 5.6L46.300 57.300a4 4 0 0 1-5.600 0l-22-22A4 4 0 0 1 17 32.500z"
        fill="var(--fs-sunken)"
      />
      <circle cx="26" cy="24" r="4" stroke="var(--fs-accent)" strokeWidth="2" />
      <path d="M38 33l12 12" />
    </Drawing>
  )
}

/** A star in front of a page. */
export function StarDrawing() {
  return (
    <Drawing>
      <path d="M22 10h24l10 10v34H22z" fill="var(--fs-sunken)" />
      <path d="M46 10v10h10" />
      <path
        d="m40 26 4.300 8.800 9.700 1.400-7 6.800 1.700 9.600-8.700-4.500-8.700 4.500 1.700-9.600-7-6.800 9.700-1.400z"
        fill="var(--fs-surface)"
        stroke="var(--fs-accent)"
        strokeWidth="2"
      />
    </Drawing>
  )
}

/** A clock in front of a page. */
export function ClockDrawing() {
  return (
    <Drawing>
      <path d="M22 8h24l12 12v36H22z" fill="var(--fs-sunken)" />
      <path d="M46 8v12h12" />
      <circle cx="40" cy="38" r="12" fill="var(--fs-surface)" stroke="var(--fs-accent)" strokeWidth="2" />
      <path d="M40 31v7l5 4" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** A page with a check on it. */
export function ApprovedDrawing() {
  return (
    <Drawing>
      <path d="M24 8h22l12 12v36H24z" fill="var(--fs-sunken)" />
      <path d="M46 8v12h12" />
      <path d="m33 38 6 6 11-12" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** A closed padlock. */
export function LockedDrawing() {
  return (
    <Drawing>
      <path d="M30 28v-8a10 10 0 0 1 20 0v8" />
      <rect x="23" y="28" width="34" height="28" rx="4" fill="var(--fs-sunken)" />
      <path d="M40 39v6" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** A key on its ring. */
export function KeyDrawing() {
  return (
    <Drawing>
      <circle cx="28" cy="32" r="14" fill="var(--fs-sunken)" />
      <circle cx="24" cy="32" r="4" fill="var(--fs-surface)" />
      <path d="M42 32h24v9m-8-9v6" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** A magnifying glass over a page. */
export function SearchDrawing() {
  return (
    <Drawing>
      <path d="M18 8h26l10 10v38H18z" fill="var(--fs-sunken)" />
      <path d="M44 8v10h10M26 26h12m-12 8h8" />
      <circle cx="48" cy="38" r="10" fill="var(--fs-surface)" />
      <path d="m55.5 45.5 8 8" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** A folder with two people in front of it. */
export function TeamDrawing() {
  return (
    <Drawing>
      <path d="M12 14h18l6 6h32v34H12z" fill="var(--fs-sunken)" />
      <circle cx="34" cy="34" r="5" fill="var(--fs-surface)" />
      <circle cx="48" cy="34" r="5" stroke="var(--fs-accent)" strokeWidth="2" fill="var(--fs-surface)" />
      <path d="M25 54c0-6 4-10 9-10 2.500 0 4.500 1 6 2.500" />
      <path d="M39 54c0-6 4-10 9-10s9 4 9 10" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}

/** Three points that are joined: one gives, two have. */
export function SharedDrawing() {
  return (
    <Drawing>
      <path d="M32 29l15-8m-15 14 15 8" />
      <circle cx="26" cy="32" r="8" fill="var(--fs-sunken)" />
      <circle cx="54" cy="18" r="7" fill="var(--fs-surface)" stroke="var(--fs-accent)" strokeWidth="2" />
      <circle cx="54" cy="46" r="7" fill="var(--fs-surface)" stroke="var(--fs-accent)" strokeWidth="2" />
    </Drawing>
  )
}
