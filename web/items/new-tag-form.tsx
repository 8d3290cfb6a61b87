/** The tag manager's form for a new tag. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { maxTagNameLength } from '../../src/api/limits.ts'
import type { Tag } from '../../src/api/tags.ts'
import { makeTag } from '../lib/data/tags.ts'
import { messageOf } from '../lib/server/message-of.ts'
import { ColorChoice } from '../ui/color-choice.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './new-tag-form.module.css'
import { firstTagColor, tagColors } from './tag-colors.ts'

interface NewTagFormProps {
  /** Whether the dialog's focus begins here. */
  takesFocus: boolean
  onCreated: (tag: Tag) => void
}

export function NewTagForm({ takesFocus, onCreated }: NewTagFormProps) {
  const [name, setName] = useState('')
  const [color, setColor] = useState(firstTagColor)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  const isBlank = name.trim() === ''

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBlank || isBusy) return
    setBusy(true)
    try {
      onCreated(await makeTag(name.trim(), color))
      setName('')
      setProblem(null)
    } catch (error) {
      setProblem(messageOf(error, 'Failed to create tag'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <TextInput
        label="New tag"
        placeholder="Name"
        className={styles.name}
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
        error={problem}
        size={size}
        maxLength={maxTagNameLength}
        autoComplete="off"
        dir="auto"
        data-autofocus={takesFocus || undefined}
      />
      <Button
        type="submit"
        variant="default"
        size={size}
        className={styles.create}
        disabled={isBlank || isBusy}
        title={isBlank ? 'Type a name first' : undefined}
      >
        Create
      </Button>
      <div className={styles.colors}>
        <ColorChoice label="Color" colors={tagColors} value={color} onChange={setColor} />
      </div>
    </form>
  )
}
