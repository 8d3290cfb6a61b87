/** A link on a file: its name, its size and Download, and below them the file itself where the browser can show it. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { fileKind, kindLabels } from '../../src/api/kinds.ts'
import type { LinkInfo } from '../../src/api/visits.ts'
import { ItemIcon } from '../items/item-icon.tsx'
import { ItemName } from '../items/item-name.tsx'
import { formatSize } from '../lib/words/format-size.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { usePhone } from '../ui/use-phone.ts'
import { saveWhole } from './downloads.ts'
import { Facts } from './facts.tsx'
import styles from './file-page.module.css'
import { BottomBar, Head } from './head.tsx'
import { noPreview } from './limits.ts'
import name from './name.module.css'
import { FileView } from './preview/lazy-preview.tsx'
import { useFile } from './preview/use-file.ts'
import { useTitle } from './use-title.ts'

/** Asks about the file while the code that shows it is loading. */
const Viewed = ({ id, place }: { id: number; place: HTMLElement | null }) => (
  <FileView found={useFile(id, undefined)} place={place} />
)

export function FilePage({ info }: { info: LinkInfo }) {
  const { item_id, mime_type, downloads_left } = info
  const isPhone = usePhone()
  const [tools, setTools] = useState<HTMLElement | null>(null)
  useTitle(info.name)
  const item = { name: info.name, is_directory: false, mime_type }
  const size = info.size === null ? null : formatSize(info.size)
  const download = (
    <Button
      size={isPhone ? 'lg' : 'sm'}
      leftSection={<IconDownload size={isPhone ? 20 : 16} stroke={1.75} aria-hidden />}
      onClick={() => saveWhole(info.name)}
    >
      Download
    </Button>
  )
  return (
    <>
      <Head
        icon={<ItemIcon item={item} size={36} />}
        name={
          <h1 className={name.name} title={info.name}>
            <ItemName item={item} />
          </h1>
        }
        facts={<Facts info={info} before={size} />}
      >
        {!isPhone && (
          <>
            <div ref={setTools} className={styles.tools} />
            {download}
          </>
        )}
      </Head>
      {downloads_left === null ? (
        <Viewed id={item_id} place={tools} />
      ) : (
        <EmptyState
          drawing={<ItemIcon item={item} size={64} />}
          title={kindLabels[fileKind(mime_type)]}
          sentence={noPreview}
        />
      )}
      {isPhone && (
        <>
          <div ref={setTools} className={styles.tools} />
          <BottomBar>{download}</BottomBar>
        </>
      )}
    </>
  )
}
