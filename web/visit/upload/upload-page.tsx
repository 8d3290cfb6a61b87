/** Sending files through a link. Nothing of what others have sent is shown. */
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { LinkInfo } from '../../../src/api/visits.ts'
import { ItemName } from '../../items/item-name.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { Facts } from '../facts.tsx'
import { Head } from '../head.tsx'
import name from '../name.module.css'
import { useTitle } from '../use-title.ts'
import { useOutbox } from './outbox.ts'
import { Report } from './report.tsx'
import { SendForm } from './send-form.tsx'
import styles from './upload-page.module.css'

interface UploadPageProps {
  info: LinkInfo
  /** Undefined where the files are not to be seen. */
  onBack: (() => void) | undefined
}

export function UploadPage({ info, onBack }: UploadPageProps) {
  const { isReported, isSending } = useOutbox()
  const isPhone = usePhone()
  useTitle(info.name)
  useStayQuestion()
  return (
    <>
      <Head
        name={
          <h1 className={name.name} title={info.name}>
            <ItemName item={{ name: info.name, is_directory: true }} />
          </h1>
        }
        facts={<Facts info={info} />}
      >
        {onBack && (
          <Button
            variant="default"
            size={isPhone ? 'lg' : 'sm'}
            leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
            disabled={isSending}
            onClick={onBack}
          >
            Files
          </Button>
        )}
      </Head>
      <div className={styles.scroller}>
        <div className={styles.content}>{isReported ? <Report /> : <SendForm info={info} />}</div>
      </div>
    </>
  )
}

/** Lets the browser ask before files that were chosen or are on their way are lost. */
function useStayQuestion(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const { files } = useOutbox.getState()
      if (files.some(({ status, canRetry }) => status === 'waiting' || status === 'sending' || canRetry))
        event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
