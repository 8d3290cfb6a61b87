/** A text filter: applied after a pause, on Enter, and when it loses the focus. */
import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './search-filters.module.css'

interface TextFilterProps {
  label: string
  type: 'text' | 'date'
  inputMode?: 'decimal'
  value: string
  onChange: (value: string) => void
}

/** Milliseconds after the last key. */
const pause = 500

export function TextFilter({ value, onChange, ...rest }: TextFilterProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // Set during rendering, as React recommends for derived state: the filters were cleared, or the address changed.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const commit = () => {
    if (text !== value) onChange(text)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each text waits once
  useEffect(() => {
    const timer = setTimeout(commit, pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextInput
      className={rest.type === 'date' ? styles.date : undefined}
      size={size}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      autoComplete="off"
      {...rest}
    />
  )
}
