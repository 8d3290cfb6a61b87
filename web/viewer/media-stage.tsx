/** Video and audio with the browser's own controls. */
import { useRef, useState } from 'react'
import { ItemIcon } from '../items/item-icon.tsx'
import styles from './media-stage.module.css'
import { previewSource } from './preview-url.ts'
import { PrintedFacts } from './printed-facts.tsx'
import { useViewerKeys } from './use-viewer-keys.ts'
import type { ViewedFile } from './viewed-file.ts'
import { ViewerNotice } from './viewer-notice.tsx'

interface MediaStageProps {
  item: ViewedFile
  kind: 'video' | 'audio'
  /** Called when the file cannot be loaded or played. */
  onFail: () => void
}

export function MediaStage({ item, kind, onFail }: MediaStageProps) {
  const [isBroken, setBroken] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const audio = useRef<HTMLAudioElement>(null)
  useViewerKeys({
    ' ': () => {
      const media = video.current ?? audio.current
      // The player's controls show an interrupted or refused playback, so ignore the rejection.
      if (media?.paused === true) void media.play().catch(() => undefined)
      else media?.pause()
    },
  })
  if (isBroken) {
    return (
      <ViewerNotice
        item={item}
        title={`This ${kind} cannot be played here`}
        sentence="Your browser does not know its format, or the file is damaged. Download it to play it with another program."
        isFailure
      />
    )
  }
  const shared = {
    src: previewSource(item),
    controls: true,
    preload: 'metadata',
    'aria-label': item.name,
    onError: () => {
      setBroken(true)
      onFail()
    },
  }
  if (kind === 'video') {
    return (
      <div className={styles.video}>
        <PrintedFacts item={item} />
        <video {...shared} ref={video} playsInline />
      </div>
    )
  }
  return (
    <div className={styles.audio}>
      <PrintedFacts item={item} />
      <ItemIcon item={item} size={96} />
      <audio {...shared} ref={audio} />
    </div>
  )
}
