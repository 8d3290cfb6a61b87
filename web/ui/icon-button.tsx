/** A button that shows only an icon, with its name as a tooltip and for screen readers. */
import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentProps } from 'react'

interface IconButtonProps extends ActionIconProps, Omit<ComponentProps<'button'>, keyof ActionIconProps> {
  label: string
  icon: Icon
  iconSize?: number
}

export function IconButton({ label, icon: Glyph, iconSize = 16, ...rest }: IconButtonProps) {
  return (
    <ActionIcon aria-label={label} title={label} {...rest}>
      <Glyph size={iconSize} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
