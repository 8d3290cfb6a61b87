/** The rows of the tray, windowed: only those in view are rendered. */
import { useRef } from 'react'
import { useUploadList } from '../lib/uploads/page-uploads.ts'
import { usePhone } from '../ui/use-phone.ts'
import { useRowWindow } from '../ui/use-row-window.ts'
import { UploadRow } from './upload-row.tsx'
import styles from './upload-tray.module.css'

const rowHeight = { desktop: 52, phone: 60 }
const noMore = () => undefined

export function UploadRows() {
  const ids = useUploadList(list => list.ids)
  const scroller = useRef<HTMLDivElement>(null)
  const height = rowHeight[usePhone() ? 'phone' : 'desktop']
  const shown = useRowWindow({ count: ids.length, rowHeight: height, scroller, onNearEnd: noMore })
  return (
    <div ref={scroller} className={styles.rows} style={{ height: shown.height }}>
      <div className={styles.all} style={{ height: shown.height }}>
        {shown.rows.map(({ index, start }) => {
          const id = ids[index]
          return id === undefined ? null : <UploadRow key={id} id={id} top={start} />
        })}
      </div>
    </div>
  )
}
