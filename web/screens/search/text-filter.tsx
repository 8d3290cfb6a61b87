/** A filter that is typed: it counts after a pause, on Enter, and when it is left. */
import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { usePhone } from '../../ui/use-phone.ts'

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
  // Set while rendering, as React advises for state that follows from props: filters cleared, or another address.
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
