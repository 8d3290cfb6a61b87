/** The drag image: a pill with a name or a count. */
import styles from './drag-pill.module.css'

/** Call this during `dragstart`: the browser captures the image then. */
export function showDragPill(transfer: DataTransfer, text: string): void {
  const pill = document.createElement('div')
  pill.className = styles.pill ?? ''
  pill.textContent = text
  document.body.append(pill)
  transfer.setDragImage(pill, -12, -4)
  requestAnimationFrame(() => pill.remove())
}
