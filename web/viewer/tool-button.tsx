/** An icon button of the viewer, sized for the window. */
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithoutRef } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './tool-button.module.css'

type ToolButtonProps = {
  label: string
  icon: Icon
  /** The state of a toggle; undefined for a plain button. */
  isOn?: boolean
} & Pick<ComponentPropsWithoutRef<'button'>, 'onClick' | 'disabled'>

export function ToolButton({ isOn, ...rest }: ToolButtonProps) {
  const isPhone = usePhone()
  return (
    <IconButton
      {...rest}
      className={styles.tool}
      aria-pressed={isOn}
      size={isPhone ? 'lg' : 'sm'}
      iconSize={isPhone ? 20 : 16}
    />
  )
}
