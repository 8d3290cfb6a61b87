/** The mark of a menu item that can be switched on and off; its room is kept while it is off. */
import { IconCheck } from '@tabler/icons-react'

export const MenuCheck = ({ isChecked, size }: { isChecked: boolean; size: number }) => (
  <IconCheck size={size} stroke={1.75} aria-hidden visibility={isChecked ? undefined : 'hidden'} />
)
