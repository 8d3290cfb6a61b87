/** The field of a link's password. It is shown as text: its maker has to tell it to others. */
import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { minPasswordBytes } from '../../../../src/api/limits.ts'
import type { LinkDraft } from './link-draft.ts'
import styles from './links.module.css'

interface PasswordFieldProps extends Pick<TextInputProps, 'size' | 'error' | 'errorProps' | 'autoComplete'> {
  draft: LinkDraft
  /** Whether the server takes no links without. */
  isNeeded: boolean
  /** Whether the link has one. */
  hasPassword: boolean
  onChange: (part: Partial<LinkDraft>) => void
}

export function PasswordField({ draft, isNeeded, hasPassword, onChange, ...rest }: PasswordFieldProps) {
  const { password, isOpened } = draft
  const isKept = hasPassword && !isOpened
  return (
    <TextInput
      {...rest}
      label="Password"
      placeholder={isKept ? 'Unchanged' : 'None'}
      description={`${isNeeded ? 'Needed on this server. ' : ''}At least ${minPasswordBytes} characters. Tell it apart from the link`}
      value={password}
      spellCheck={false}
      autoCapitalize="off"
      aria-required={isNeeded}
      rightSectionWidth={isKept && !isNeeded ? 76 : undefined}
      rightSection={
        isKept &&
        !isNeeded && (
          <Button
            variant="subtle"
            size="xs"
            className={styles.inField}
            aria-label="Remove the password"
            onClick={() => onChange({ isOpened: true, password: '' })}
          >
            Remove
          </Button>
        )
      }
      onChange={({ currentTarget: { value } }) => onChange({ password: value })}
    />
  )
}
