/** The round buttons at the sides of the stage, for the previous and the next file. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import styles from './step-buttons.module.css'

interface StepButtonsProps {
  index: number
  total: number
  onStep: (step: 1 | -1) => void
}

export function StepButtons({ index, total, onStep }: StepButtonsProps) {
  const sides = [
    { step: -1, label: 'Previous file', icon: IconChevronLeft, isEnd: index === 0 },
    { step: 1, label: 'Next file', icon: IconChevronRight, isEnd: index === total - 1 },
  ] as const
  return sides.map(({ step, label, icon: Glyph, isEnd }) => (
    <UnstyledButton
      key={step}
      className={styles.button}
      data-side={step}
      aria-label={label}
      title={label}
      aria-disabled={isEnd}
      onClick={() => onStep(step)}
    >
      <Glyph size={20} stroke={1.75} aria-hidden />
    </UnstyledButton>
  ))
}
