/** An icon button of the viewer, in the size that the window asks for. */
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithoutRef } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './tool-button.module.css'

type ToolButtonProps = {
  label: string
  icon: Icon
  /** Whether what it switches is on; undefined for what is no switch. */
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
