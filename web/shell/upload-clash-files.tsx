/** The two files with the same name: the existing one and the one to upload. */
import { type ReactNode, useEffect, useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { ItemIcon } from '../items/item-icon.tsx'
import type { Upload } from '../lib/uploads/upload.ts'
import { formatFullDate } from '../lib/words/format-date.ts'
import { formatSize } from '../lib/words/format-size.ts'
import styles from './upload-clash-dialog.module.css'

const iconSize = 40

function Line({ icon, label, words }: { icon: ReactNode; label: string; words: string }) {
  return (
    <div className={styles.file}>
      {icon}
      <div className={styles.lines}>
        <div className={styles.label}>{label}</div>
        <div className={styles.facts}>{words}</div>
      </div>
    </div>
  )
}

/** `item` is undefined until it is found, and stays so when it cannot be. */
export function GivenFile({ item, isMissing }: { item: FileItem | undefined; isMissing: boolean }) {
  if (item === undefined) {
    const words = isMissing ? 'Size and date are not known' : '…'
    return <Line icon={<span className={styles.blank} />} label="Already there" words={words} />
  }
  const date = formatFullDate(item.modified_at ?? item.updated_at)
  const facts = item.is_directory ? `Folder · ${date}` : `${formatSize(item.size)} · ${date}`
  const words = item.validation_comment ? `${facts} · Reason: ${item.validation_comment}` : facts
  return <Line icon={<ItemIcon item={item} size={iconSize} />} label="Already there" words={words} />
}

export function NewFile({ upload: { name, size, file } }: { upload: Upload }) {
  if (file === null) return null
  const date = formatFullDate(new Date(file.lastModified).toISOString())
  const item = { name, is_directory: false, mime_type: file.type || null }
  const isPicture = file.type.startsWith('image/')
  const icon = isPicture ? <Picture file={file} /> : <ItemIcon item={item} size={iconSize} />
  return <Line icon={icon} label="To be uploaded" words={`${formatSize(size)} · ${date}`} />
}

/** The picture itself, or the icon of its type when the browser cannot show it. */
function Picture({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <ItemIcon item={{ is_directory: false, mime_type: file.type }} size={iconSize} />
  return url === null ? (
    <span className={styles.blank} />
  ) : (
    <img src={url} alt="" className={styles.picture} onError={() => setBroken(true)} />
  )
}
