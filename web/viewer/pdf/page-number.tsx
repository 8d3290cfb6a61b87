/** The page on screen, as a field to go to another one, with buttons for the page before and the next one. */
import { TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import { ToolButton } from '../tool-button.tsx'
import styles from './page-number.module.css'

interface PageNumberProps {
  page: number
  count: number
  onGo: (page: number) => void
}

export function PageNumber({ page, count, onGo }: PageNumberProps) {
  /** What is being typed; null while nothing is. */
  const [typed, setTyped] = useState<string | null>(null)
  const isPhone = usePhone()
  const end = () => {
    const wanted = Number(typed)
    // Anything but the number of a page goes back to the page there is.
    if (typed !== null && /^\d+$/.test(typed.trim()) && wanted >= 1 && wanted <= count) onGo(wanted)
    setTyped(null)
  }
  return (
    <>
      {!isPhone && (
        <ToolButton label="Previous page" icon={IconChevronUp} disabled={page <= 1} onClick={() => onGo(page - 1)} />
      )}
      <TextInput
        value={typed ?? String(page)}
        aria-label="Page number"
        inputMode="numeric"
        autoComplete="off"
        size={isPhone ? 'lg' : 'sm'}
        classNames={{ wrapper: styles.wrapper, input: styles.input }}
        style={{ width: `${Math.max(40, String(count).length * 9 + 18)}px` }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={end}
        onKeyDown={event => {
          if (event.key === 'Enter') end()
          if (event.key !== 'Escape' || typed === null) return
          // The first Escape takes back what was typed, the next one closes.
          event.preventDefault()
          setTyped(null)
        }}
      />
      <span className={styles.count}>/ {count.toLocaleString('en-US')}</span>
      {!isPhone && (
        <ToolButton label="Next page" icon={IconChevronDown} disabled={page >= count} onClick={() => onGo(page + 1)} />
      )}
    </>
  )
}
