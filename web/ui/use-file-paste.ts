/** Files pasted anywhere except into a field or a dialog. */
import { useWindowEvent } from '@mantine/hooks'
import { type Picked, pickCarried } from './picked-files.ts'

const ownsPaste = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable], [role="dialog"]') !== null

/** The name that browsers give every copied image. */
const namelessPicture = /^image\.(\w+)$/
const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** `Pasted image 2026-11-21 at 19.30.12.png`, in the browser's own time zone. */
function pictureName(extension: string, now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-')
  const clock = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('.')
  return `Pasted image ${day} at ${clock}.${extension}`
}

function withOwnName(file: File): File {
  const [, extension] = namelessPicture.exec(file.name) ?? []
  if (extension === undefined) return file
  return new File([file], pictureName(extension, new Date()), { type: file.type, lastModified: file.lastModified })
}

/** Without `onPasted`, pasted files are ignored. */
export function useFilePaste(onPasted: ((picked: Picked) => void) | undefined): void {
  useWindowEvent('paste', event => {
    if (onPasted === undefined || event.clipboardData === null || ownsPaste(event.target)) return
    const picked = pickCarried(event.clipboardData)
    if (picked.files.length + picked.folders.length === 0) return
    event.preventDefault()
    onPasted({ ...picked, files: picked.files.map(({ file, folders }) => ({ file: withOwnName(file), folders })) })
  })
}
