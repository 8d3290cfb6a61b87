/** The path from the root to the folder open in the picker; a click on a step goes back to it. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconHome } from '@tabler/icons-react'
import { Fragment, useEffect, useRef } from 'react'
import styles from './picker-trail.module.css'
import type { Step } from './use-picker.ts'

interface PickerTrailProps {
  /** Empty while the places are shown. */
  steps: readonly Step[]
  /** Whether there are places besides the own tree. */
  hasPlaces: boolean
  /** Called with the index of a step. */
  onGo: (index: number) => void
  onPlaces: () => void
}

export function PickerTrail({ steps, hasPlaces, onGo, onPlaces }: PickerTrailProps) {
  const ref = useRef<HTMLElement>(null)
  const last = steps.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: of a long way the end is in view whenever it changes
  useEffect(() => ref.current?.scrollTo({ left: ref.current.scrollWidth }), [last])
  return (
    <nav ref={ref} className={styles.trail} aria-label="Location">
      {hasPlaces && <PlacesStep isCurrent={steps.length === 0} onGo={onPlaces} />}
      {steps.map((step, index) => (
        <Fragment key={step.id}>
          {(index > 0 || hasPlaces) && (
            <IconChevronRight size={14} stroke={1.75} className={styles.chevron} aria-hidden />
          )}
          {step.id === null ? (
            <HomeStep isCurrent={index === steps.length - 1} onGo={() => onGo(index)} />
          ) : index === steps.length - 1 ? (
            <span className={styles.current} aria-current="location" title={step.name} dir="auto">
              {step.name}
            </span>
          ) : (
            <UnstyledButton className={styles.step} title={step.name} dir="auto" onClick={() => onGo(index)}>
              {step.name}
            </UnstyledButton>
          )}
        </Fragment>
      ))}
    </nav>
  )
}

interface StepProps {
  isCurrent: boolean
  onGo: () => void
}

const HomeStep = ({ isCurrent, onGo }: StepProps) => (
  <UnstyledButton
    className={styles.home}
    aria-label="Home"
    title="Home"
    aria-current={isCurrent ? 'location' : undefined}
    onClick={onGo}
  >
    <IconHome size={16} stroke={1.75} aria-hidden />
    {isCurrent && <span className={styles.current}>Home</span>}
  </UnstyledButton>
)

const PlacesStep = ({ isCurrent, onGo }: StepProps) =>
  isCurrent ? (
    <span className={styles.current} aria-current="location">
      All places
    </span>
  ) : (
    <UnstyledButton className={styles.step} onClick={onGo}>
      All places
    </UnstyledButton>
  )
