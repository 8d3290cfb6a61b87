/** The options of a select field: Enter adds one, pasted lines become several; they can be moved and removed. */
import { Button, Input, TextInput } from '@mantine/core'
import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { maxFieldOptions, maxLabelLength } from '../../../src/api/limits.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './options-editor.module.css'

interface OptionsEditorProps {
  /** At least one, possibly empty. */
  options: readonly string[]
  problem: string | undefined
  onChange: (options: string[]) => void
}

export function OptionsEditor({ options, problem, onChange }: OptionsEditorProps) {
  const list = useRef<HTMLUListElement>(null)
  const focused = useRef<number | null>(null)
  const isPhone = usePhone()
  const size = isPhone ? 'lg' : 'sm'

  useLayoutEffect(() => {
    if (focused.current === null) return
    list.current?.querySelectorAll('input')[focused.current]?.focus()
    focused.current = null
  })

  /** Replaces `count` options from `index` on, and focuses one. */
  const splice = (index: number, count: number, added: readonly string[], focus: number) => {
    const next = options.toSpliced(index, count, ...added).slice(0, maxFieldOptions)
    focused.current = Math.max(0, Math.min(focus, next.length - 1))
    onChange(next.length === 0 ? [''] : next)
  }

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      splice(index + 1, 0, [''], index + 1)
    }
    if (event.key === 'Backspace' && options[index] === '' && options.length > 1) {
      event.preventDefault()
      splice(index, 1, [], index - 1)
    }
  }

  const onPaste = (event: ClipboardEvent, index: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map(line => line.trim())
      .filter(line => line !== '')
    if (lines.length < 2) return
    event.preventDefault()
    const isEmpty = options[index] === ''
    splice(isEmpty ? index : index + 1, isEmpty ? 1 : 0, lines, index + lines.length)
  }

  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>Options</legend>
      <ul ref={list} className={styles.list}>
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: options have no other identity while they are typed
          <li key={index} className={styles.row}>
            <TextInput
              className={styles.input}
              size={size}
              aria-label={`Option ${index + 1}`}
              placeholder={`Option ${index + 1}`}
              aria-invalid={problem !== undefined}
              value={option}
              maxLength={maxLabelLength}
              dir="auto"
              onChange={({ currentTarget: { value } }) => onChange(options.with(index, value))}
              onKeyDown={event => onKeyDown(event, index)}
              onPaste={event => onPaste(event, index)}
            />
            <IconButton
              label={`Move option ${index + 1} up`}
              icon={IconArrowUp}
              size={isPhone ? 'lg' : 'md'}
              disabled={index === 0}
              onClick={() => splice(index - 1, 2, [option, options[index - 1] ?? ''], index - 1)}
            />
            <IconButton
              label={`Remove option ${index + 1}`}
              icon={IconX}
              size={isPhone ? 'lg' : 'md'}
              disabled={options.length === 1 && option === ''}
              onClick={() => splice(index, 1, [], index)}
            />
          </li>
        ))}
      </ul>
      {problem !== undefined && <Input.Error>{problem}</Input.Error>}
      <Button
        variant="default"
        size={size}
        className={styles.add}
        leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
        disabled={options.length >= maxFieldOptions}
        onClick={() => splice(options.length, 0, [''], options.length)}
      >
        Add Option
      </Button>
    </fieldset>
  )
}
