/** The path from Home to the folder open in the picker; a click on a step goes back to it. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconHome } from '@tabler/icons-react'
import { Fragment, useEffect, useRef } from 'react'
import type { Breadcrumb } from '../../../src/api/items.ts'
import styles from './picker-trail.module.css'

interface PickerTrailProps {
  trail: readonly Breadcrumb[]
  /** Called with the number of steps below Home that are kept. */
  onGo: (steps: number) => void
}

export function PickerTrail({ trail, onGo }: PickerTrailProps) {
  const ref = useRef<HTMLElement>(null)
  const last = trail.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: of a long way the end is in view whenever it changes
  useEffect(() => ref.current?.scrollTo({ left: ref.current.scrollWidth }), [last])
  return (
    <nav ref={ref} className={styles.trail} aria-label="Location">
      <UnstyledButton
        className={styles.home}
        aria-label="Home"
        title="Home"
        aria-current={trail.length === 0 ? 'location' : undefined}
        onClick={() => onGo(0)}
      >
        <IconHome size={16} stroke={1.75} aria-hidden />
        {trail.length === 0 && <span className={styles.current}>Home</span>}
      </UnstyledButton>
      {trail.map(({ id, name }, index) => (
        <Fragment key={id}>
          <IconChevronRight size={14} stroke={1.75} className={styles.chevron} aria-hidden />
          {index === trail.length - 1 ? (
            <span className={styles.current} aria-current="location" title={name} dir="auto">
              {name}
            </span>
          ) : (
            <UnstyledButton className={styles.step} title={name} dir="auto" onClick={() => onGo(index + 1)}>
              {name}
            </UnstyledButton>
          )}
        </Fragment>
      ))}
    </nav>
  )
}
