/** The current page as a field to go to another one, with buttons for the previous and next page. */
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
  /** The text being typed; null while nothing is. */
  const [typed, setTyped] = useState<string | null>(null)
  const isPhone = usePhone()
  const end = () => {
    const wanted = Number(typed)
    // Anything but a valid page number is discarded.
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
          // The first Escape discards the typed text, the next one closes the viewer.
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
