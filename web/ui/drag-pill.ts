/** What hangs at the pointer while something is dragged: a pill with a name or a count. */
import styles from './drag-pill.module.css'

/** Must be called while the drag starts: the browser takes its picture then. */
export function showDragPill(transfer: DataTransfer, text: string): void {
  const pill = document.createElement('div')
  pill.className = styles.pill ?? ''
  pill.textContent = text
  document.body.append(pill)
  transfer.setDragImage(pill, -12, -4)
  requestAnimationFrame(() => pill.remove())
}
