/** Opens the list of keyboard shortcuts. */
import { IconHelp } from '@tabler/icons-react'
import { IconButton } from '../ui/icon-button.tsx'
import { showHelp } from './help.ts'

export function HelpButton() {
  return <IconButton label="Keyboard shortcuts" icon={IconHelp} aria-keyshortcuts="?" onClick={showHelp} />
}
