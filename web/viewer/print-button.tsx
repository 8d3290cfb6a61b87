/** Prints the file on the stage. */
import { IconPrinter } from '@tabler/icons-react'
import { ToolButton } from './tool-button.tsx'

interface PrintButtonProps {
  /** Default: opens the browser's print dialog at once. */
  onPrint?: () => void
}

export const PrintButton = ({ onPrint = () => window.print() }: PrintButtonProps) => (
  <ToolButton label="Print" icon={IconPrinter} onClick={onPrint} />
)
