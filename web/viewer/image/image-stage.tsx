/** A picture on the stage: fitted at first, then zoomed and moved. An SVG shown as an image runs no scripts. */
import { Button } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { thumbnailSize } from '../../../src/api/limits.ts'
import { thumbnailUrl } from '../../lib/data/thumbnails.ts'
import { Printout } from '../../ui/print/printout.tsx'
import { isTouch } from '../../ui/touch.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { previewSource } from '../preview-url.ts'
import { PrintButton } from '../print-button.tsx'
import { StageTools } from '../stage-tools.tsx'
import { useViewerKeys } from '../use-viewer-keys.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { ViewerNotice } from '../viewer-notice.tsx'
import { ZoomTools } from '../zoom-tools.tsx'
import styles from './image-stage.module.css'
import { useZoomPan } from './use-zoom-pan.ts'

interface ImageStageProps {
  item: ViewedFile
  /** Called when the file cannot be loaded or is no image. */
  onFail: () => void
}

export function ImageStage(props: ImageStageProps) {
  const [attempt, setAttempt] = useState(0)
  const [isBroken, setBroken] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  if (isBroken) {
    const retry = () => {
      setBroken(false)
      setAttempt(attempt + 1)
    }
    return (
      <ViewerNotice item={props.item} title="Failed to load image" isFailure>
        <Button variant="default" size={size} onClick={retry}>
          Retry
        </Button>
      </ViewerNotice>
    )
  }
  const fail = () => {
    setBroken(true)
    props.onFail()
  }
  return <Picture key={attempt} {...props} onFail={fail} />
}

/** Some browsers report no size for an SVG that states none. */
const sizeless = { width: 800, height: 600 }
const unknown = { width: 0, height: 0 }

function Picture({ item, onFail }: ImageStageProps) {
  const element = useRef<HTMLDivElement>(null)
  const { ref: measured, ...stageSize } = useElementSize<HTMLDivElement>()
  const ref = useMergedRef(element, measured)
  const [picture, setPicture] = useState(unknown)
  const pan = useZoomPan({ stage: element, stageSize, picture })
  const { scale, x, y } = pan.placement
  const isReady = picture.width > 0 && stageSize.width > 0
  useViewerKeys({ '+': pan.zoomIn, '=': pan.zoomIn, '-': pan.zoomOut, '0': pan.fit })
  return (
    <>
      <StageTools>
        <ZoomTools zoom={isReady ? scale : null} onIn={pan.zoomIn} onOut={pan.zoomOut} />
        <PrintButton />
      </StageTools>
      <Printout isOver>{() => <img src={previewSource(item)} alt={item.name} className={styles.printed} />}</Printout>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: buttons and keys do the same */}
      <div
        ref={ref}
        className={styles.stage}
        data-movable={pan.canMove || undefined}
        aria-busy={!isReady}
        {...pan.handlers}
        onDoubleClick={event => {
          // Of double taps only some browsers make double clicks.
          if (!isTouch()) pan.toggle({ x: event.clientX, y: event.clientY })
        }}
      >
        {!isReady && <StandIn item={item} />}
        <img
          src={previewSource(item)}
          alt={item.name}
          className={styles.picture}
          style={{
            width: picture.width * scale,
            height: picture.height * scale,
            transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`,
            visibility: isReady ? 'visible' : 'hidden',
          }}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setPicture(width > 0 && height > 0 ? { width, height } : sizeless)
          }
          onError={onFail}
        />
      </div>
    </>
  )
}

/** Shown while a picture loads: its thumbnail in the picture's size, or grey after a while. */
function StandIn({ item }: { item: ViewedFile }) {
  const [isLarge, setLarge] = useState<boolean | null>(null)
  const isSlow = useDelayed(true, 150)
  const thumbnail = thumbnailUrl(item)
  return (
    <>
      {isSlow && <span className={styles.waiting} role="status" aria-label="Loading" data-empty={isLarge === null} />}
      {thumbnail !== null && (
        <img
          src={thumbnail}
          alt=""
          className={styles.standIn}
          data-large={isLarge}
          hidden={isLarge === null}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            // A smaller thumbnail means that the picture itself is that small.
            setLarge(Math.max(naturalWidth, naturalHeight) >= thumbnailSize)
          }
        />
      )}
    </>
  )
}
