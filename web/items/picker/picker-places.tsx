/** The places that the picker can go to: the own files, team folders, and folders that others share. */
import { IconChevronRight, IconHome } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import { type Destination, home } from '../destination.ts'
import { listOf } from '../place-routes.ts'
import styles from './picker-list.module.css'
import type { Places } from './use-picker.ts'

interface PickerPlacesProps {
  places: Places
  /** The place that gets the focus; null is the own tree. */
  startAt: number | null
  onEnter: (place: Destination) => void
}

/** Moves the focus between the places. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll('button')]
  const at = rows.findIndex(row => row.matches(':focus'))
  rows[at + by]?.focus()
}

export function PickerPlaces({ places: { teams, shared }, startAt, onEnter }: PickerPlacesProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when they appear
  useEffect(() => box.current?.querySelector<HTMLElement>(`[data-place="${startAt}"]`)?.focus(), [])
  const groups = [
    { label: 'Team folders', places: teams },
    { label: 'Shared with me', places: shared },
  ]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys that move between its buttons
    <div ref={box} className={styles.box} onKeyDown={step}>
      <div className={styles.places}>
        <PlaceRow place={{ ...home, name: 'My files' }} onEnter={() => onEnter(home)} />
        {groups.map(
          group =>
            group.places.length > 0 && (
              <section key={group.label} aria-label={group.label}>
                <h3 className={styles.group}>{group.label}</h3>
                {group.places.map(place => (
                  <PlaceRow key={place.id} place={place} onEnter={() => onEnter(place)} />
                ))}
              </section>
            ),
        )}
      </div>
    </div>
  )
}

function PlaceRow({ place: { id, name, place }, onEnter }: { place: Destination; onEnter: () => void }) {
  const isPhone = usePhone()
  const Glyph = place === null ? IconHome : listOf(place).icon
  return (
    <button type="button" className={styles.placeRow} data-place={id} title={name} onClick={onEnter}>
      <Glyph size={isPhone ? 20 : 16} stroke={1.75} className={styles.chevron} aria-hidden />
      <span className={styles.placeName} dir="auto">
        {name}
      </span>
      {place?.from && (
        <span className={styles.from}>
          from <bdi>{place.from}</bdi>
        </span>
      )}
      <IconChevronRight size={16} stroke={1.75} className={styles.end} aria-hidden />
    </button>
  )
}
